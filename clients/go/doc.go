// Package resonate is a client of resonate-grpc: a worker runtime for durable tasks, the caller's side of them, and every call,
// typed. See README.md for a tour. The messages are in the package resonategrpcv1.
package resonate
