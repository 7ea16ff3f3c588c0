package io.github.resonategrpc;

import java.util.LinkedHashMap;
import java.util.Map;

/** How often each task has failed in a row, in this process. */
final class Failures {
  /** More than this many failing tasks are not told apart for ever: the oldest are forgotten. */
  private static final int REMEMBERED = 10_000;

  private final Map<String, Integer> counts = new LinkedHashMap<>();

  /** Counts one more failure and returns how many there were before. */
  synchronized int add(String taskId) {
    Integer earlier = counts.remove(taskId);
    int failures = earlier == null ? 0 : earlier;
    counts.put(taskId, failures + 1);
    if (counts.size() > REMEMBERED) {
      counts.remove(counts.keySet().iterator().next());
    }
    return failures;
  }

  /** It has made progress. */
  synchronized void clear(String taskId) {
    counts.remove(taskId);
  }
}
