package io.github.resonategrpc;

import io.github.resonategrpc.v1.PromiseRecord;

/** Is told of promises that have settled and that an address of the worker listens to. */
@FunctionalInterface
public interface UnblockHandler {
  /**
   * Handles one, which is acknowledged when this returns; else it comes again on the next stream.
   * The same one may come twice.
   *
   * @param promise the promise, settled
   * @param address the address that was registered
   * @throws Exception when it was not handled
   */
  void handle(PromiseRecord promise, String address) throws Exception;
}
