package io.github.resonategrpc;

import static io.github.resonategrpc.Patience.failure;
import static io.github.resonategrpc.Patience.value;
import static io.github.resonategrpc.WorkerFixture.async;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.github.resonategrpc.v1.PromiseCreateResponse;
import io.github.resonategrpc.v1.PromiseGetRequest;
import io.github.resonategrpc.v1.PromiseGetResponse;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.PromiseSettleRequest;
import io.github.resonategrpc.v1.PromiseSettleResponse;
import io.github.resonategrpc.v1.PromiseWaitRequest;
import io.github.resonategrpc.v1.PromiseWaitResponse;
import io.github.resonategrpc.v1.TaskAcquireRequest;
import io.github.resonategrpc.v1.TaskGetRequest;
import io.github.resonategrpc.v1.TaskGetResponse;
import io.github.resonategrpc.v1.TaskReleaseRequest;
import io.github.resonategrpc.v1.Value;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status.Code;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ResonateClientTest {
  private static final Path PROTO = Path.of("../../proto/resonate_grpc/v1");
  private static final PromiseGetRequest GET_P = PromiseGetRequest.newBuilder().setId("p").build();
  private static final TaskGetRequest TASK_GET_T = TaskGetRequest.newBuilder().setId("t").build();

  private final ScriptedServer server = new ScriptedServer();
  private final ManualClock clock = new ManualClock();
  private final ResonateClient client = server.client(clock);

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static List<MethodDescriptor<?, ?>> unaryMethods() {
    List<MethodDescriptor<?, ?>> methods = new ArrayList<>();
    ScriptedServer.SERVICES.forEach(service -> methods.addAll(service.getMethods()));
    methods.removeIf(method -> method.getType() != MethodDescriptor.MethodType.UNARY);
    return methods;
  }

  /** Each unary RPC, and whether its comment in the proto calls a retry always safe. */
  private static Map<String, Boolean> documented() throws IOException {
    Pattern rpc =
        Pattern.compile("((?: {2}//.*\n)+) {2}rpc (\\w+)\\(\\w+\\) returns \\((?!stream)");
    Map<String, Boolean> safe = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(PROTO, "*.proto")) {
      for (Path file : files) {
        for (MatchResult match : rpc.matcher(Files.readString(file)).results().toList()) {
          String comment = match.group(1).replaceAll("\\s*// ?", " ").toLowerCase();
          safe.put(match.group(2), comment.contains("a retry is always safe"));
        }
      }
    }
    return safe;
  }

  @Test
  void repeatsExactlyTheCallsWhoseCommentCallsARetrySafe() throws IOException {
    Map<String, Boolean> known = new TreeMap<>();
    unaryMethods()
        .forEach(method -> known.put(method.getBareMethodName(), Calls.isRetrySafe(method)));
    assertEquals(24, known.size());
    assertEquals(documented(), known);
  }

  @Test
  void sendsEachCallToTheRpcOfItsName() throws Exception {
    for (MethodDescriptor<?, ?> rpc : unaryMethods()) {
      String name = rpc.getBareMethodName();
      Class<?> type = Class.forName("io.github.resonategrpc.v1." + name + "Request");
      Message request = (Message) type.getMethod("getDefaultInstance").invoke(null);
      String spelled = Character.toLowerCase(name.charAt(0)) + name.substring(1);
      Method method = ResonateClient.class.getMethod(spelled, type);
      CompletableFuture<Object> answer =
          async(
              () -> {
                try {
                  return method.invoke(client, request);
                } catch (ReflectiveOperationException e) {
                  throw (ResonateException) e.getCause();
                }
              });
      server.next(rpc).refuse(Refusal.bare(Code.NOT_FOUND, name));
      assertEquals(name, failure(answer, ResonateException.class).getMessage());
    }
  }

  @Test
  void unpacksARefusal() {
    var answer = async(() -> client.taskAcquire(TaskAcquireRequest.getDefaultInstance()));
    server.next(Rpc.ACQUIRE).refuse(Refusal.heldBy("p", 3, "TASK_NOT_PENDING"));
    ResonateException e = failure(answer, ResonateException.class);
    assertEquals(Code.ABORTED, e.code());
    assertEquals(Optional.of("TASK_NOT_PENDING"), e.reason());
    assertEquals(OptionalInt.of(409), e.status());
    assertEquals(
        Map.of(
            "id",
            "t",
            "task_state",
            "acquired",
            "task_version",
            "3",
            "task_pid",
            "p",
            "status",
            "409"),
        e.metadata());
    assertEquals("scripted", e.getMessage());
    assertEquals("ResonateException: TASK_NOT_PENDING: scripted", e.toString());
  }

  @Test
  void hasNoReasonForAnErrorThatIsNotFromTheServerItself() {
    for (Refusal foreign :
        List.of(
            Refusal.bare(Code.INTERNAL, "scripted"),
            Refusal.heldBy("p", 3, "TASK_NOT_PENDING").from("example.com"))) {
      var answer = async(() -> client.taskAcquire(TaskAcquireRequest.getDefaultInstance()));
      server.next(Rpc.ACQUIRE).refuse(foreign);
      ResonateException e = failure(answer, ResonateException.class);
      assertEquals(foreign.code(), e.code());
      assertEquals("scripted", e.getMessage());
      assertEquals(Optional.empty(), e.reason());
      assertEquals(OptionalInt.empty(), e.status());
      assertEquals(Map.of(), e.metadata());
    }
  }

  @Test
  void receivesMessagesOverTheDefaultLimitOfGrpc() {
    Server real =
        server.listenOn(Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create()));
    try (ResonateClient connected = ResonateClient.connect("localhost:" + real.getPort())) {
      var answer = async(() -> connected.promiseGet(GET_P));
      ByteString data = ByteString.copyFrom(new byte[6 << 20]);
      PromiseRecord large =
          Records.settled("p", "").toBuilder().setValue(Value.newBuilder().setData(data)).build();
      server.next(Rpc.GET).reply(PromiseGetResponse.newBuilder().setPromise(large).build());
      assertEquals(large, value(answer).getPromise());
    } finally {
      real.shutdownNow();
    }
  }

  @Test
  void repeatsASafeCallOnUnavailableWithAGrowingDelay() {
    var answer = async(() -> client.promiseSettle(PromiseSettleRequest.getDefaultInstance()));
    for (long delay : new long[] {100, 200, 400}) {
      server.next(Rpc.SETTLE).lose();
      clock.elapse(delay);
    }
    var response = PromiseSettleResponse.newBuilder().setPromise(Records.settled("p", "")).build();
    server.next(Rpc.SETTLE).reply(response);
    assertEquals(response, value(answer));
  }

  @Test
  void givesUpWhenTheTimeWouldBeOverBeforeTheNextTry() {
    var hasty = client.withTimeout(Duration.ofMinutes(3));
    var answer = async(() -> hasty.promiseGet(GET_P));
    server.next(Rpc.GET).lose();
    clock.elapse(100);
    var second = server.next(Rpc.GET);
    clock.advance(Duration.ofMinutes(3).toMillis() - 300); // The next delay is 200.
    second.lose();
    assertEquals(Code.UNAVAILABLE, failure(answer, ResonateException.class).code());
    assertEquals(0, server.waiting(Rpc.GET));
  }

  @Test
  void neverRepeatsAnotherCallNorAnotherError() {
    var release = async(() -> client.taskRelease(TaskReleaseRequest.getDefaultInstance()));
    server.next(Rpc.RELEASE).lose();
    assertEquals(Code.UNAVAILABLE, failure(release, ResonateException.class).code());
    var get = async(() -> client.promiseGet(GET_P));
    server.next(Rpc.GET).refuse(Refusal.OVERLOADED);
    assertEquals(Optional.of("OVERLOADED"), failure(get, ResonateException.class).reason());
    assertEquals(List.of(), clock.lengths());
  }

  @Test
  void reachesAServerThatComesBack() {
    server.close();
    var answer = async(() -> client.promiseGet(GET_P));
    clock.armed(100);
    server.start();
    // Whether the second try meets the new connection is open.
    var call = clock.runUntil(async(() -> server.next(Rpc.GET)));
    call.reply(PromiseGetResponse.getDefaultInstance());
    value(answer);
  }

  @Test
  void endsACallAtItsDeadline() {
    ResonateClient hasty = client.withTimeout(Duration.ofMillis(20));
    var e = assertThrows(ResonateException.class, () -> hasty.taskGet(TASK_GET_T));
    assertEquals(Code.DEADLINE_EXCEEDED, e.code());
  }

  @Test
  void takesATimeoutOfMoreThan24DaysForNone() {
    for (int days : new int[] {23, 40}) {
      var answer = async(() -> client.withTimeout(Duration.ofDays(days)).taskGet(TASK_GET_T));
      var call = server.next(Rpc.TASK_GET);
      assertEquals(days < 24, call.hasDeadline);
      call.reply(TaskGetResponse.getDefaultInstance());
      value(answer);
    }
  }

  @Test
  void cancelsACallWhenItsThreadIsInterruptedBeforeDuringAndBetweenTries() {
    new Caller("before", () -> Thread.currentThread().interrupt()).isCancelled();

    Caller during = new Caller("during", () -> {});
    var call = during.call();
    during.thread.interrupt();
    during.isCancelled();
    value(call.cancelled);

    Caller between = new Caller("between", () -> {});
    between.call().lose();
    clock.armed(100);
    between.thread.interrupt();
    between.isCancelled();
    assertEquals(List.of(), clock.lengths());
  }

  /** A thread that reads a promise. */
  private final class Caller {
    final CompletableFuture<PromiseGetResponse> answer = new CompletableFuture<>();
    final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    final Thread thread;
    private final PromiseGetRequest request;

    Caller(String id, Runnable first) {
      request = PromiseGetRequest.newBuilder().setId(id).build();
      thread = new Thread(() -> read(first));
      thread.start();
    }

    ScriptedCall<PromiseGetRequest, PromiseGetResponse> call() {
      return server.next(Rpc.GET, request);
    }

    void isCancelled() {
      assertEquals(Code.CANCELLED, failure(answer, ResonateException.class).code());
      assertTrue(value(interrupted), "the thread stays interrupted");
    }

    private void read(Runnable first) {
      first.run();
      try {
        answer.complete(client.promiseGet(request));
      } catch (ResonateException e) {
        answer.completeExceptionally(e);
      }
      interrupted.complete(Thread.currentThread().isInterrupted());
    }
  }

  @Test
  void waitsForAsLongAsItTakes() {
    var answer = async(() -> client.await("p"));
    var call = server.next(Rpc.WAIT);
    assertEquals(PromiseWaitRequest.newBuilder().setId("p").build(), call.request);
    call.refuse(Refusal.DRAINING);
    clock.elapse(100);
    for (int slice = 0; slice < 3; slice++) {
      server.next(Rpc.WAIT).refuse(Refusal.bare(Code.DEADLINE_EXCEEDED, "slice"));
      clock.elapse(100); // A slice that passed quietly is no failure: the delay does not grow.
    }
    server
        .next(Rpc.WAIT)
        .reply(PromiseWaitResponse.newBuilder().setPromise(Records.settled("p", "7")).build());
    assertEquals(Records.settled("p", "7"), value(answer));
  }

  @Test
  void waitsUntilItsDeadlineAndNotForAnUnknownPromise() {
    var hasty =
        assertThrows(ResonateException.class, () -> client.await("p", Duration.ofMillis(20)));
    assertEquals(Code.DEADLINE_EXCEEDED, hasty.code());
    var unknown = async(() -> client.await("q"));
    server
        .next(Rpc.WAIT, PromiseWaitRequest.newBuilder().setId("q").build())
        .refuse(Refusal.NO_PROMISE);
    assertEquals(
        Optional.of("PROMISE_NOT_FOUND"), failure(unknown, ResonateException.class).reason());
  }

  @Test
  void invokesByCreatingTheWorkAndWaiting() {
    Work work = Work.of("p").target("any@g").param("1").deadline(Instant.ofEpochMilli(5_000));
    var answer = async(() -> client.invoke(work));
    var create = server.next(Rpc.CREATE);
    assertEquals(work.spec(), create.request.getPromise());
    create.reply(PromiseCreateResponse.newBuilder().setPromise(Records.pending("p")).build());
    server
        .next(Rpc.WAIT)
        .reply(PromiseWaitResponse.newBuilder().setPromise(Records.settled("p", "2")).build());
    assertEquals(Records.settled("p", "2"), value(answer));
    assertThrows(IllegalArgumentException.class, () -> client.invoke(Work.of("p")));
  }
}
