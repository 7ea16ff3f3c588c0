package io.github.resonategrpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.resonategrpc.RunOver.End;
import io.github.resonategrpc.v1.DispatchAcknowledgeResponse;
import io.github.resonategrpc.v1.DispatchDrainRequest;
import io.github.resonategrpc.v1.DispatchDrainResponse;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.TaskAcquireRequest;
import io.github.resonategrpc.v1.TaskAcquireResponse;
import io.github.resonategrpc.v1.TaskFulfillResponse;
import io.github.resonategrpc.v1.TaskRecord;
import io.github.resonategrpc.v1.TaskRef;
import io.github.resonategrpc.v1.TaskReleaseRequest;
import io.github.resonategrpc.v1.TaskReleaseResponse;
import io.github.resonategrpc.v1.TaskState;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A worker {@code w} of the group {@code g}, on a scripted server and a clock that stands still.
 */
final class WorkerFixture implements AutoCloseable {
  static final long TTL_MS = 30_000;

  final ScriptedServer server = new ScriptedServer();
  final ManualClock clock = new ManualClock();
  final ResonateClient client = server.client(clock);

  /** The runs of its handler, as they come. */
  final Inbox<OpenRun> runs = new Inbox<>("run");

  Worker worker;
  ScriptedStream stream;

  /** With an open stream, and a handler whose runs the test ends. */
  static WorkerFixture open() {
    return open(settings -> settings);
  }

  static WorkerFixture open(UnaryOperator<WorkerBuilder> settings) {
    WorkerFixture fixture = new WorkerFixture();
    fixture.start(settings);
    fixture.stream.hello("session");
    return fixture;
  }

  /** With a stream that has not said hello. */
  void start(UnaryOperator<WorkerBuilder> settings) {
    worker = settings.apply(builder()).start();
    stream = server.nextStream();
  }

  WorkerBuilder builder() {
    return Worker.builder(client, "g", this::handle).pid("w").ttl(Duration.ofMillis(TTL_MS));
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }

  /** Pushes a task and lets the worker have it. */
  void give(String id, long version) {
    stream.execute(id, version);
    grant(next(Rpc.ACQUIRE));
  }

  /** The same, up to the call of its handler. */
  OpenRun run(String id, long version) {
    give(id, version);
    OpenRun run = runs.next();
    assertEquals(id, run.task.id());
    assertEquals(version + 1, run.task.version());
    return run;
  }

  void grant(ScriptedCall<TaskAcquireRequest, TaskAcquireResponse> acquire) {
    TaskAcquireRequest request = acquire.request;
    TaskRecord task =
        TaskRecord.newBuilder()
            .setId(request.getId())
            .setState(TaskState.TASK_STATE_ACQUIRED)
            .setVersion(request.getVersion() + 1)
            .build();
    PromiseRecord promise =
        Records.pending(request.getId()).toBuilder().setParam(Values.text("input")).build();
    acquire.reply(TaskAcquireResponse.newBuilder().setTask(task).setPromise(promise).build());
  }

  <Q, A> ScriptedCall<Q, A> next(MethodDescriptor<Q, A> method) {
    return server.next(method);
  }

  void fulfilled() {
    next(Rpc.FULFILL).reply(TaskFulfillResponse.getDefaultInstance());
  }

  void released(String id, long version) {
    var release = next(Rpc.RELEASE);
    assertEquals(
        TaskReleaseRequest.newBuilder().setId(id).setVersion(version).build(), release.request);
    release.reply(TaskReleaseResponse.getDefaultInstance());
  }

  void drained(String session) {
    var drain = next(Rpc.DRAIN);
    assertEquals(DispatchDrainRequest.newBuilder().setSessionId(session).build(), drain.request);
    drain.reply(DispatchDrainResponse.getDefaultInstance());
  }

  /** The next unblocks that are acknowledged. */
  List<String> acknowledged() {
    return acknowledged(server);
  }

  static List<String> acknowledged(ScriptedServer server) {
    var acknowledge = server.next(Rpc.ACKNOWLEDGE);
    acknowledge.reply(DispatchAcknowledgeResponse.getDefaultInstance());
    return acknowledge.request.getUnblocksList().stream()
        .map(unblock -> unblock.getPromiseId() + " " + unblock.getAddress())
        .toList();
  }

  /** The worker has heard all that was sent to it before. */
  void heard() {
    stream.unblock(Records.settled("heard", ""), "x");
    acknowledged();
  }

  /**
   * Sees that a worker with one place has dropped its task, and nothing has happened about it
   * since.
   */
  void dropped() {
    run("marker", 0);
    for (MethodDescriptor<?, ?> method : List.of(Rpc.ACQUIRE, Rpc.FULFILL, Rpc.RELEASE, Rpc.GET)) {
      assertEquals(0, server.waiting(method), method.getFullMethodName());
    }
  }

  static TaskRef ref(String id, long version) {
    return TaskRef.newBuilder().setId(id).setVersion(version).build();
  }

  static void assertOver(End end, OpenRun run) {
    assertEquals(end, Patience.value(run.task.over()).end());
  }

  static void assertGoesOn(OpenRun run) {
    assertFalse(run.task.over().isDone());
  }

  /** Calls on another thread, as the blocking call of a test would. */
  static <T> CompletableFuture<T> async(java.util.function.Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, Background::execute);
  }

  private io.github.resonategrpc.v1.Value handle(TaskContext task) throws Exception {
    OpenRun run = new OpenRun(task);
    runs.put(run);
    return run.await();
  }
}
