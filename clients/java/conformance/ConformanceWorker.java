import io.github.resonategrpc.Reject;
import io.github.resonategrpc.ResonateClient;
import io.github.resonategrpc.ResonateException;
import io.github.resonategrpc.TaskContext;
import io.github.resonategrpc.Worker;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.Value;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** The worker process of the conformance test, as test/conformance/README.md describes it. */
final class ConformanceWorker {
  private static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

  /** The promises whose first unblock was not acknowledged. */
  private static final Set<String> REFUSED = new HashSet<>();

  private ConformanceWorker() {}

  public static void main(String[] arguments) throws InterruptedException {
    Thread main = Thread.currentThread();
    try (ResonateClient client = ResonateClient.connect(variable("RESONATE_ADDRESS"));
        Worker worker = start(client)) {
      // The virtual machine ends a signalled process with the signal's own code, unless it is
      // halted before.
      Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(worker, main)));
      worker.await();
      say("stopped");
      Runtime.getRuntime().halt(0);
    } catch (ResonateException e) {
      say("fatal " + e.reason().orElse(e.code().name()));
      Runtime.getRuntime().halt(1);
    }
  }

  private static Worker start(ResonateClient client) {
    String pid = variable("RESONATE_PID");
    Handlers handlers = new Handlers(pid);
    return Worker.builder(client, variable("RESONATE_GROUP"), task -> report(handlers, task))
        .pid(pid)
        .maxInFlight(Integer.parseInt(variable("RESONATE_MAX_IN_FLIGHT")))
        .ttl(millis("RESONATE_TTL_MS"))
        .grace(millis("RESONATE_GRACE_MS"))
        .onHello(hello -> say("ready"))
        .onUnblock(ConformanceWorker::unblocked)
        .start();
  }

  /**
   * The handler, saying when it begins and how it ends: by itself, or at the moment when its run is
   * over.
   */
  private static Value report(Handlers handlers, TaskContext task) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    say("started " + task.id() + " " + task.version());
    task.over().thenAccept(over -> end(task, ended, over.end().name().toLowerCase(Locale.ROOT)));
    try {
      Value value = handlers.handle(task);
      end(task, ended, "returned");
      return value;
    } catch (Reject reject) {
      end(task, ended, "rejected");
      throw reject;
    } catch (Exception failure) {
      end(task, ended, "failed");
      throw failure;
    }
  }

  private static void end(TaskContext task, AtomicBoolean ended, String how) {
    if (ended.compareAndSet(false, true)) {
      say("ended " + task.id() + " " + task.version() + " " + how);
    }
  }

  private static synchronized void unblocked(PromiseRecord promise, String address) {
    say("unblocked " + promise.getId() + " " + address);
    if (promise.getTagsOrDefault("conformance:unblock", "").equals("twice")
        && REFUSED.add(promise.getId())) {
      throw new IllegalStateException("the first time fails");
    }
  }

  private static void drain(Worker worker, Thread main) {
    worker.close();
    try {
      main.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static synchronized void say(String line) {
    OUT.println(line);
  }

  private static Duration millis(String name) {
    return Duration.ofMillis(Long.parseLong(variable(name)));
  }

  private static String variable(String name) {
    String value = System.getenv(name);
    if (value == null) {
      throw new IllegalStateException(name + " is not set");
    }
    return value;
  }
}
