"""Generated stubs of the proto package `resonate_grpc.v1`: a module of messages and one of service stubs for each proto file."""
