package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchExecute;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Does the tasks that are pushed, so many at a time. */
final class Pool {
  /** When a worker stops, handlers whose runs are over get this long to see it and return. */
  private static final long RETURN_MS = 1_000;

  private final RunEnvironment env;
  private final int places;
  private final Map<String, Run> running = new LinkedHashMap<>();

  /**
   * What was pushed and waits for a free place, or for the end of an earlier run of the same task.
   */
  private final Map<String, DispatchExecute> offers = new LinkedHashMap<>();

  /** Those whose handlers have not returned, be they over or not. */
  private final Set<Run> unreturned = new HashSet<>();

  Pool(RunEnvironment env, int places) {
    this.env = env;
    this.places = places;
  }

  /** Is told of each push. */
  synchronized void offer(DispatchExecute execute) {
    if (env.stopping().isDone()) {
      return;
    }
    Run run = running.get(execute.getTaskId());
    if (run != null && execute.getVersion() < run.version()) {
      return; // The push that this run came from, once more.
    }
    if (run != null) {
      run.offeredAgain();
    }
    offers.put(execute.getTaskId(), execute);
    next();
  }

  /** What was pushed and not acquired is no longer ours. */
  synchronized void lapsed() {
    offers.clear();
  }

  /** Begins nothing new. */
  synchronized void close() {
    env.stopping().complete(null);
    offers.clear();
  }

  /**
   * Lets what runs go on for so long, gives back the rest, and returns when nothing is held any
   * more. The pool is closed.
   */
  void drain(long graceMs) {
    List<Run> runs = runs();
    CompletableFuture<Void> done = all(runs, Run::done);
    env.clock().sleep(graceMs, done);
    if (!done.isDone()) {
      runs.forEach(Run::stop);
      done.join();
    }
    CompletableFuture<Void> returned = all(unreturned(), Run::returned);
    if (!returned.isDone()) {
      env.clock().sleep(RETURN_MS, returned);
    }
  }

  /** Begins what there is room for, oldest first. */
  private void next() {
    Iterator<DispatchExecute> waiting = offers.values().iterator();
    while (waiting.hasNext() && running.size() < places) {
      DispatchExecute execute = waiting.next();
      if (!running.containsKey(execute.getTaskId())) {
        waiting.remove();
        begin(execute);
      }
    }
  }

  private void begin(DispatchExecute execute) {
    Run run = new Run(env, execute);
    running.put(execute.getTaskId(), run);
    unreturned.add(run);
    run.done().thenRun(() -> done(execute.getTaskId()));
    run.returned().thenRun(() -> returned(run));
    Background.execute(run::perform);
  }

  private synchronized void done(String taskId) {
    running.remove(taskId);
    next();
  }

  private synchronized void returned(Run run) {
    unreturned.remove(run);
  }

  private synchronized List<Run> runs() {
    return List.copyOf(running.values());
  }

  private synchronized List<Run> unreturned() {
    return List.copyOf(unreturned);
  }

  private static CompletableFuture<Void> all(
      List<Run> runs, Function<Run, CompletableFuture<Void>> what) {
    return CompletableFuture.allOf(runs.stream().map(what).toArray(CompletableFuture<?>[]::new));
  }
}
