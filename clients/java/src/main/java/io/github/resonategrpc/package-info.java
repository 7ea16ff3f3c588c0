/**
 * A client of resonate-grpc: a worker runtime for durable tasks, the caller's side of them, and
 * every call, typed.
 *
 * <p>Begin with {@link io.github.resonategrpc.Worker} or {@link
 * io.github.resonategrpc.ResonateClient}. The messages are in {@link io.github.resonategrpc.v1}.
 */
package io.github.resonategrpc;
