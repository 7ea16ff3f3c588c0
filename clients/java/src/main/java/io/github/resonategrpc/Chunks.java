package io.github.resonategrpc;

import java.util.List;
import java.util.stream.IntStream;

/** Keeps lists within the limit of a request: with the longest ids and addresses, too. */
final class Chunks {
  private static final int MOST = 1_000;

  private Chunks() {}

  /** The list in pieces of so many at the most. */
  static <T> List<List<T>> of(List<T> all) {
    return IntStream.iterate(0, start -> start < all.size(), start -> start + MOST)
        .mapToObj(start -> all.subList(start, Math.min(all.size(), start + MOST)))
        .toList();
  }
}
