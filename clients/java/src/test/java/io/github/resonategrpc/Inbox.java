package io.github.resonategrpc;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What comes, until a test takes it. */
final class Inbox<T> {
  private final String what;
  private final BlockingQueue<T> items = new LinkedBlockingQueue<>();

  Inbox(String what) {
    this.what = what;
  }

  void put(T item) {
    items.add(item);
  }

  T next() {
    try {
      T item = items.poll(Patience.SECONDS, TimeUnit.SECONDS);
      assertNotNull(item, "no " + what + " came");
      return item;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  int size() {
    return items.size();
  }
}
