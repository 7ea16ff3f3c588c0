/*
 * Stands between the server and the C library (LD_PRELOAD), so that tests see when data is on disk, choose the instant of a
 * crash, lose what a power cut would lose, and set the wall clock. What it does is ruled by a file that tests write while the
 * server runs (`struct control`, shim.ts has the same layout); what it sees goes to another, one event a line.
 *
 * A commit of LMDB is: page writes, fdatasync, then a write of the header through a descriptor opened with O_DSYNC.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))real(#name))

struct control {
  volatile int64_t sync_delay_ns;   /* added to every sync and header write */
  volatile int64_t clock_offset_ns; /* added to the wall clock */
  volatile int64_t crash_point;     /* where the process kills itself; 0: nowhere */
  volatile int64_t crash_countdown; /* at the so-manieth time that it gets there */
  volatile int64_t power_seed;      /* not 0: a crash loses a part of what has not been synced, chosen by this */
  volatile int64_t grow_errno;      /* not 0: the disk is full; once it has said so, writes that need more of it fail with this */
};

enum point { PAGES_WRITTEN = 1, SYNC_BEGUN, SYNCED, COMMITTED, REPLYING, REPLIED };

/* What was in the file before a write that has not been synced. */
struct unsynced {
  struct unsynced *older;
  uint64_t number;
  int fd;
  off_t offset;
  size_t length;
  char *before;
};

#define CHUNK 4096
#define MARK "mark-"

static struct control *control;
static int log_fd = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct unsynced *newest;
static uint64_t writes;
static int told_full;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("SHIM_CONTROL");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *map = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (map != MAP_FAILED) control = map;
  log_fd = open(getenv("SHIM_LOG"), O_WRONLY | O_APPEND | O_CLOEXEC);
}

static void note(const char *event, const char *detail) {
  char line[256];
  struct timespec now;
  REAL(clock_gettime)(CLOCK_MONOTONIC, &now);
  int length = snprintf(line, sizeof line, "%lld %s %s\n", now.tv_sec * 1000000000LL + now.tv_nsec, event, detail);
  if (log_fd >= 0 && REAL(write)(log_fd, line, length) < length) abort();
}

static int is_alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'); }

/* The texts in a page that begin with the mark: by them tests know whose write it is. */
static void note_marks(const char *bytes, size_t length) {
  const char *end = bytes + length, *at = bytes;
  while ((at = memmem(at, end - at, MARK, strlen(MARK))) != NULL) {
    char text[64];
    size_t size = 0;
    while (at < end && size < sizeof text - 1 && (size < strlen(MARK) || is_alphanumeric(*at))) text[size++] = *at++;
    text[size] = 0;
    note("mark", text);
  }
}

static int is_data_file(int fd) {
  struct stat stat;
  char link[32], path[PATH_MAX];
  if (control == NULL || fstat(fd, &stat) != 0 || !S_ISREG(stat.st_mode)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path);
  return length > 9 && memcmp(path + length - 9, "/data.mdb", 9) == 0;
}

static int is_client(int fd) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (control == NULL || control->crash_point < REPLYING) return 0;
  return getsockname(fd, (struct sockaddr *)&address, &length) == 0 && address.ss_family == AF_INET;
}

static uint64_t chance(void) {
  static uint64_t state;
  if (state == 0) state = (uint64_t)control->power_seed;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* Every chunk that has not been synced is lost, or not, by itself. */
static void lose_unsynced(void) {
  for (struct unsynced *each = newest; each != NULL; each = each->older) {
    if (chance() % 2 == 0) continue;
    if (REAL(pwrite)(each->fd, each->before, each->length, each->offset) < 0) abort();
  }
}

static void reached(enum point point) {
  if (control == NULL || control->crash_point != point) return;
  pthread_mutex_lock(&mutex);
  if (control->crash_point == point && --control->crash_countdown <= 0) {
    note("crash", "");
    if (control->power_seed != 0) lose_unsynced();
    raise(SIGKILL);
  }
  pthread_mutex_unlock(&mutex);
}

static void remember(int fd, off_t offset, size_t length) {
  if (control->power_seed == 0) return;
  pthread_mutex_lock(&mutex);
  for (size_t at = 0; at < length; at += CHUNK) {
    struct unsynced *chunk = malloc(sizeof *chunk);
    size_t size = length - at < CHUNK ? length - at : CHUNK;
    *chunk = (struct unsynced){newest, ++writes, fd, offset + (off_t)at, size, calloc(1, size)};
    if (pread(fd, chunk->before, size, chunk->offset) < 0) abort();
    newest = chunk;
  }
  pthread_mutex_unlock(&mutex);
}

/* Writes from before the sync are on disk; those made during it need not be. */
static void forget(uint64_t last) {
  pthread_mutex_lock(&mutex);
  struct unsynced **link = &newest;
  while (*link != NULL) {
    struct unsynced *chunk = *link;
    if (chunk->number <= last) {
      *link = chunk->older;
      free(chunk->before);
      free(chunk);
    } else {
      link = &chunk->older;
    }
  }
  pthread_mutex_unlock(&mutex);
}

static void delay(void) {
  int64_t ns = control->sync_delay_ns;
  struct timespec left = {ns / 1000000000, ns % 1000000000};
  while (ns > 0 && nanosleep(&left, &left) != 0 && errno == EINTR);
}

static int sync_file(int fd, int (*sync)(int)) {
  if (!is_data_file(fd)) return sync(fd);
  reached(SYNC_BEGUN);
  note("sync-begin", "");
  uint64_t last = writes;
  int result = sync(fd);
  int error = errno;
  delay();
  if (result == 0) {
    forget(last);
    note("sync-end", "");
    reached(SYNCED);
  }
  errno = error;
  return result;
}

int fsync(int fd) { return sync_file(fd, REAL(fsync)); }
int fdatasync(int fd) { return sync_file(fd, REAL(fdatasync)); }

/* LMDB uses it only for a map that is written to, which this server has not: then a test would have to know. */
int msync(void *address, size_t length, int flags) {
  if (control != NULL) note("msync", "");
  return REAL(msync)(address, length, flags);
}

static int refuses(int fd, off_t offset, size_t length) {
  struct stat stat;
  if (!told_full || control->grow_errno == 0) return 0;
  if (fstat(fd, &stat) != 0 || offset + (off_t)length <= stat.st_size) return 0;
  errno = (int)control->grow_errno;
  return 1;
}

int statfs64(const char *path, struct statfs64 *result) {
  int status = REAL(statfs64)(path, result);
  if (status != 0 || control == NULL) return status;
  told_full = control->grow_errno != 0;
  if (told_full) result->f_bfree = result->f_bavail = 0;
  return status;
}

static size_t size_of(const struct iovec *parts, int count) {
  size_t size = 0;
  for (int i = 0; i < count; i++) size += parts[i].iov_len;
  return size;
}

static ssize_t write_data(int fd, const struct iovec *parts, int count, off_t offset) {
  size_t length = size_of(parts, count);
  if (refuses(fd, offset, length)) return -1;
  if (fcntl(fd, F_GETFL) & O_DSYNC) {
    note("header-begin", "");
    ssize_t written = pwritev(fd, parts, count, offset);
    delay();
    note("header-end", "");
    reached(COMMITTED);
    return written;
  }
  remember(fd, offset, length);
  for (int i = 0; i < count; i++) note_marks(parts[i].iov_base, parts[i].iov_len);
  ssize_t written = pwritev(fd, parts, count, offset);
  reached(PAGES_WRITTEN);
  return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  struct iovec part = {(void *)bytes, length};
  return is_data_file(fd) ? write_data(fd, &part, 1, offset) : REAL(pwrite)(fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return pwrite(fd, bytes, length, offset); }

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (is_data_file(fd)) {
    ssize_t written = write_data(fd, parts, count, lseek(fd, 0, SEEK_CUR));
    if (written > 0) lseek(fd, written, SEEK_CUR);
    return written;
  }
  if (!is_client(fd)) return REAL(writev)(fd, parts, count);
  reached(REPLYING);
  ssize_t written = REAL(writev)(fd, parts, count);
  reached(REPLIED);
  return written;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  if (!is_client(fd)) return REAL(write)(fd, bytes, length);
  reached(REPLYING);
  ssize_t written = REAL(write)(fd, bytes, length);
  reached(REPLIED);
  return written;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = REAL(clock_gettime)(clock, time);
  if (result != 0 || control == NULL || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
  int64_t ns = time->tv_sec * 1000000000LL + time->tv_nsec + control->clock_offset_ns;
  time->tv_sec = ns / 1000000000;
  time->tv_nsec = ns % 1000000000;
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return result;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}
