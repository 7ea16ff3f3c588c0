package io.github.resonategrpc;

/**
 * Thrown by every call of a {@link TaskContext} whose run is over. Whatever a handler does after it
 * has no effect on the task.
 *
 * <p>An error, though nothing is wrong, as {@code ThreadDeath} is one: so that it passes a
 * handler's {@code catch (Exception e)}. Who catches it must throw it again.
 */
public final class RunOver extends Error {
  /** Why a run of a handler is over. */
  public enum End {
    /**
     * The task waits for a promise. Its handler is called again, from its start, when that has
     * settled.
     */
    SUSPENDED,
    /** The lease is lost, or must be taken for lost: somebody else may hold the task. */
    LOST,
    /** The worker stops and gives the task back. */
    STOPPED,
    /** The handler has returned or thrown. */
    FINISHED
  }

  private final End end;

  RunOver(End end, Throwable cause) {
    super(
        "this run of the handler is over: " + end.name().toLowerCase(java.util.Locale.ROOT), cause);
    this.end = end;
  }

  /**
   * Why.
   *
   * @return the reason
   */
  public End end() {
    return end;
  }
}
