package io.github.resonategrpc.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Messages from the server to workers and callers, over one stream per process.
 * Addresses, in `resonate:target` and in PromiseRegisterListener: `[scheme://]any&#64;group`, `[scheme://]any&#64;group/pid` or
 * `[scheme://]uni&#64;group/pid`; any scheme is accepted and ignored. `uni` goes to the stream of that pid only, and waits for it.
 * `any` goes to one member of the group; with a pid, to that member if it is connected and has room, else to another. A text
 * that is not of this form is the name of a group as a whole, and means any of its members. What has nobody to go to waits.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class DispatchServiceGrpc {

  private DispatchServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "resonate_grpc.v1.DispatchService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.DispatchRequest,
      io.github.resonategrpc.v1.DispatchResponse> getDispatchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Dispatch",
      requestType = io.github.resonategrpc.v1.DispatchRequest.class,
      responseType = io.github.resonategrpc.v1.DispatchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.DispatchRequest,
      io.github.resonategrpc.v1.DispatchResponse> getDispatchMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.DispatchRequest, io.github.resonategrpc.v1.DispatchResponse> getDispatchMethod;
    if ((getDispatchMethod = DispatchServiceGrpc.getDispatchMethod) == null) {
      synchronized (DispatchServiceGrpc.class) {
        if ((getDispatchMethod = DispatchServiceGrpc.getDispatchMethod) == null) {
          DispatchServiceGrpc.getDispatchMethod = getDispatchMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.DispatchRequest, io.github.resonategrpc.v1.DispatchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Dispatch"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.DispatchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.DispatchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DispatchServiceMethodDescriptorSupplier("Dispatch"))
              .build();
        }
      }
    }
    return getDispatchMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.DispatchAcknowledgeRequest,
      io.github.resonategrpc.v1.DispatchAcknowledgeResponse> getDispatchAcknowledgeMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DispatchAcknowledge",
      requestType = io.github.resonategrpc.v1.DispatchAcknowledgeRequest.class,
      responseType = io.github.resonategrpc.v1.DispatchAcknowledgeResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.DispatchAcknowledgeRequest,
      io.github.resonategrpc.v1.DispatchAcknowledgeResponse> getDispatchAcknowledgeMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.DispatchAcknowledgeRequest, io.github.resonategrpc.v1.DispatchAcknowledgeResponse> getDispatchAcknowledgeMethod;
    if ((getDispatchAcknowledgeMethod = DispatchServiceGrpc.getDispatchAcknowledgeMethod) == null) {
      synchronized (DispatchServiceGrpc.class) {
        if ((getDispatchAcknowledgeMethod = DispatchServiceGrpc.getDispatchAcknowledgeMethod) == null) {
          DispatchServiceGrpc.getDispatchAcknowledgeMethod = getDispatchAcknowledgeMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.DispatchAcknowledgeRequest, io.github.resonategrpc.v1.DispatchAcknowledgeResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DispatchAcknowledge"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.DispatchAcknowledgeRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.DispatchAcknowledgeResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DispatchServiceMethodDescriptorSupplier("DispatchAcknowledge"))
              .build();
        }
      }
    }
    return getDispatchAcknowledgeMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.DispatchDrainRequest,
      io.github.resonategrpc.v1.DispatchDrainResponse> getDispatchDrainMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DispatchDrain",
      requestType = io.github.resonategrpc.v1.DispatchDrainRequest.class,
      responseType = io.github.resonategrpc.v1.DispatchDrainResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.DispatchDrainRequest,
      io.github.resonategrpc.v1.DispatchDrainResponse> getDispatchDrainMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.DispatchDrainRequest, io.github.resonategrpc.v1.DispatchDrainResponse> getDispatchDrainMethod;
    if ((getDispatchDrainMethod = DispatchServiceGrpc.getDispatchDrainMethod) == null) {
      synchronized (DispatchServiceGrpc.class) {
        if ((getDispatchDrainMethod = DispatchServiceGrpc.getDispatchDrainMethod) == null) {
          DispatchServiceGrpc.getDispatchDrainMethod = getDispatchDrainMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.DispatchDrainRequest, io.github.resonategrpc.v1.DispatchDrainResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DispatchDrain"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.DispatchDrainRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.DispatchDrainResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DispatchServiceMethodDescriptorSupplier("DispatchDrain"))
              .build();
        }
      }
    }
    return getDispatchDrainMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static DispatchServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DispatchServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DispatchServiceStub>() {
        @java.lang.Override
        public DispatchServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DispatchServiceStub(channel, callOptions);
        }
      };
    return DispatchServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static DispatchServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DispatchServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DispatchServiceBlockingV2Stub>() {
        @java.lang.Override
        public DispatchServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DispatchServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return DispatchServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static DispatchServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DispatchServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DispatchServiceBlockingStub>() {
        @java.lang.Override
        public DispatchServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DispatchServiceBlockingStub(channel, callOptions);
        }
      };
    return DispatchServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static DispatchServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DispatchServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DispatchServiceFutureStub>() {
        @java.lang.Override
        public DispatchServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DispatchServiceFutureStub(channel, callOptions);
        }
      };
    return DispatchServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Messages from the server to workers and callers, over one stream per process.
   * Addresses, in `resonate:target` and in PromiseRegisterListener: `[scheme://]any&#64;group`, `[scheme://]any&#64;group/pid` or
   * `[scheme://]uni&#64;group/pid`; any scheme is accepted and ignored. `uni` goes to the stream of that pid only, and waits for it.
   * `any` goes to one member of the group; with a pid, to that member if it is connected and has room, else to another. A text
   * that is not of this form is the name of a group as a whole, and means any of its members. What has nobody to go to waits.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Opens a worker's stream. The first event is `hello`. From then on the server pushes an `execute` for each task whose
     * target this stream fits, oldest first, as long as fewer than `max_in_flight` are pushed to it or held by its pid; and an
     * `unblock` for each promise that settled and that this stream's address listens to.
     * A push is a hint, and starts no lease: TaskAcquire is what takes the task. What is pushed and not acquired when the
     * stream ends, or within the server's retry timeout, is pushed again, perhaps to another stream.
     * The stream ends only with an error: UNAVAILABLE (DRAINING) when the server stops: connect again after a jittered
     * delay; ABORTED (SESSION_REPLACED) when a newer stream has the same group and pid: do not connect again, two processes
     * share a pid; RESOURCE_EXHAUSTED (SESSION_STALLED) when the client does not read. A stream that has been silent for three
     * ping intervals is dead: connect again. Set no deadline.
     * </pre>
     */
    default void dispatch(io.github.resonategrpc.v1.DispatchRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.DispatchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDispatchMethod(), responseObserver);
    }

    /**
     * <pre>
     * Tells the server that unblock events have been handled, so that they are not sent again. Valid from any stream and after
     * a reconnect; naming one that is unknown or already acknowledged does nothing.
     * Always OK. A retry is always safe.
     * </pre>
     */
    default void dispatchAcknowledge(io.github.resonategrpc.v1.DispatchAcknowledgeRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.DispatchAcknowledgeResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDispatchAcknowledgeMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stops pushes to one stream, which stays open while its worker finishes what it holds. What was pushed and not acquired
     * goes to others at once.
     * Answers, in this order: NOT_FOUND (SESSION_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    default void dispatchDrain(io.github.resonategrpc.v1.DispatchDrainRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.DispatchDrainResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDispatchDrainMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service DispatchService.
   * <pre>
   * Messages from the server to workers and callers, over one stream per process.
   * Addresses, in `resonate:target` and in PromiseRegisterListener: `[scheme://]any&#64;group`, `[scheme://]any&#64;group/pid` or
   * `[scheme://]uni&#64;group/pid`; any scheme is accepted and ignored. `uni` goes to the stream of that pid only, and waits for it.
   * `any` goes to one member of the group; with a pid, to that member if it is connected and has room, else to another. A text
   * that is not of this form is the name of a group as a whole, and means any of its members. What has nobody to go to waits.
   * </pre>
   */
  public static abstract class DispatchServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return DispatchServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service DispatchService.
   * <pre>
   * Messages from the server to workers and callers, over one stream per process.
   * Addresses, in `resonate:target` and in PromiseRegisterListener: `[scheme://]any&#64;group`, `[scheme://]any&#64;group/pid` or
   * `[scheme://]uni&#64;group/pid`; any scheme is accepted and ignored. `uni` goes to the stream of that pid only, and waits for it.
   * `any` goes to one member of the group; with a pid, to that member if it is connected and has room, else to another. A text
   * that is not of this form is the name of a group as a whole, and means any of its members. What has nobody to go to waits.
   * </pre>
   */
  public static final class DispatchServiceStub
      extends io.grpc.stub.AbstractAsyncStub<DispatchServiceStub> {
    private DispatchServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DispatchServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DispatchServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Opens a worker's stream. The first event is `hello`. From then on the server pushes an `execute` for each task whose
     * target this stream fits, oldest first, as long as fewer than `max_in_flight` are pushed to it or held by its pid; and an
     * `unblock` for each promise that settled and that this stream's address listens to.
     * A push is a hint, and starts no lease: TaskAcquire is what takes the task. What is pushed and not acquired when the
     * stream ends, or within the server's retry timeout, is pushed again, perhaps to another stream.
     * The stream ends only with an error: UNAVAILABLE (DRAINING) when the server stops: connect again after a jittered
     * delay; ABORTED (SESSION_REPLACED) when a newer stream has the same group and pid: do not connect again, two processes
     * share a pid; RESOURCE_EXHAUSTED (SESSION_STALLED) when the client does not read. A stream that has been silent for three
     * ping intervals is dead: connect again. Set no deadline.
     * </pre>
     */
    public void dispatch(io.github.resonategrpc.v1.DispatchRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.DispatchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getDispatchMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Tells the server that unblock events have been handled, so that they are not sent again. Valid from any stream and after
     * a reconnect; naming one that is unknown or already acknowledged does nothing.
     * Always OK. A retry is always safe.
     * </pre>
     */
    public void dispatchAcknowledge(io.github.resonategrpc.v1.DispatchAcknowledgeRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.DispatchAcknowledgeResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDispatchAcknowledgeMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stops pushes to one stream, which stays open while its worker finishes what it holds. What was pushed and not acquired
     * goes to others at once.
     * Answers, in this order: NOT_FOUND (SESSION_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public void dispatchDrain(io.github.resonategrpc.v1.DispatchDrainRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.DispatchDrainResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDispatchDrainMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service DispatchService.
   * <pre>
   * Messages from the server to workers and callers, over one stream per process.
   * Addresses, in `resonate:target` and in PromiseRegisterListener: `[scheme://]any&#64;group`, `[scheme://]any&#64;group/pid` or
   * `[scheme://]uni&#64;group/pid`; any scheme is accepted and ignored. `uni` goes to the stream of that pid only, and waits for it.
   * `any` goes to one member of the group; with a pid, to that member if it is connected and has room, else to another. A text
   * that is not of this form is the name of a group as a whole, and means any of its members. What has nobody to go to waits.
   * </pre>
   */
  public static final class DispatchServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<DispatchServiceBlockingV2Stub> {
    private DispatchServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DispatchServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DispatchServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Opens a worker's stream. The first event is `hello`. From then on the server pushes an `execute` for each task whose
     * target this stream fits, oldest first, as long as fewer than `max_in_flight` are pushed to it or held by its pid; and an
     * `unblock` for each promise that settled and that this stream's address listens to.
     * A push is a hint, and starts no lease: TaskAcquire is what takes the task. What is pushed and not acquired when the
     * stream ends, or within the server's retry timeout, is pushed again, perhaps to another stream.
     * The stream ends only with an error: UNAVAILABLE (DRAINING) when the server stops: connect again after a jittered
     * delay; ABORTED (SESSION_REPLACED) when a newer stream has the same group and pid: do not connect again, two processes
     * share a pid; RESOURCE_EXHAUSTED (SESSION_STALLED) when the client does not read. A stream that has been silent for three
     * ping intervals is dead: connect again. Set no deadline.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, io.github.resonategrpc.v1.DispatchResponse>
        dispatch(io.github.resonategrpc.v1.DispatchRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getDispatchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Tells the server that unblock events have been handled, so that they are not sent again. Valid from any stream and after
     * a reconnect; naming one that is unknown or already acknowledged does nothing.
     * Always OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.DispatchAcknowledgeResponse dispatchAcknowledge(io.github.resonategrpc.v1.DispatchAcknowledgeRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDispatchAcknowledgeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stops pushes to one stream, which stays open while its worker finishes what it holds. What was pushed and not acquired
     * goes to others at once.
     * Answers, in this order: NOT_FOUND (SESSION_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.DispatchDrainResponse dispatchDrain(io.github.resonategrpc.v1.DispatchDrainRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDispatchDrainMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service DispatchService.
   * <pre>
   * Messages from the server to workers and callers, over one stream per process.
   * Addresses, in `resonate:target` and in PromiseRegisterListener: `[scheme://]any&#64;group`, `[scheme://]any&#64;group/pid` or
   * `[scheme://]uni&#64;group/pid`; any scheme is accepted and ignored. `uni` goes to the stream of that pid only, and waits for it.
   * `any` goes to one member of the group; with a pid, to that member if it is connected and has room, else to another. A text
   * that is not of this form is the name of a group as a whole, and means any of its members. What has nobody to go to waits.
   * </pre>
   */
  public static final class DispatchServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<DispatchServiceBlockingStub> {
    private DispatchServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DispatchServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DispatchServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Opens a worker's stream. The first event is `hello`. From then on the server pushes an `execute` for each task whose
     * target this stream fits, oldest first, as long as fewer than `max_in_flight` are pushed to it or held by its pid; and an
     * `unblock` for each promise that settled and that this stream's address listens to.
     * A push is a hint, and starts no lease: TaskAcquire is what takes the task. What is pushed and not acquired when the
     * stream ends, or within the server's retry timeout, is pushed again, perhaps to another stream.
     * The stream ends only with an error: UNAVAILABLE (DRAINING) when the server stops: connect again after a jittered
     * delay; ABORTED (SESSION_REPLACED) when a newer stream has the same group and pid: do not connect again, two processes
     * share a pid; RESOURCE_EXHAUSTED (SESSION_STALLED) when the client does not read. A stream that has been silent for three
     * ping intervals is dead: connect again. Set no deadline.
     * </pre>
     */
    public java.util.Iterator<io.github.resonategrpc.v1.DispatchResponse> dispatch(
        io.github.resonategrpc.v1.DispatchRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getDispatchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Tells the server that unblock events have been handled, so that they are not sent again. Valid from any stream and after
     * a reconnect; naming one that is unknown or already acknowledged does nothing.
     * Always OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.DispatchAcknowledgeResponse dispatchAcknowledge(io.github.resonategrpc.v1.DispatchAcknowledgeRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDispatchAcknowledgeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stops pushes to one stream, which stays open while its worker finishes what it holds. What was pushed and not acquired
     * goes to others at once.
     * Answers, in this order: NOT_FOUND (SESSION_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.DispatchDrainResponse dispatchDrain(io.github.resonategrpc.v1.DispatchDrainRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDispatchDrainMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service DispatchService.
   * <pre>
   * Messages from the server to workers and callers, over one stream per process.
   * Addresses, in `resonate:target` and in PromiseRegisterListener: `[scheme://]any&#64;group`, `[scheme://]any&#64;group/pid` or
   * `[scheme://]uni&#64;group/pid`; any scheme is accepted and ignored. `uni` goes to the stream of that pid only, and waits for it.
   * `any` goes to one member of the group; with a pid, to that member if it is connected and has room, else to another. A text
   * that is not of this form is the name of a group as a whole, and means any of its members. What has nobody to go to waits.
   * </pre>
   */
  public static final class DispatchServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<DispatchServiceFutureStub> {
    private DispatchServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DispatchServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DispatchServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Tells the server that unblock events have been handled, so that they are not sent again. Valid from any stream and after
     * a reconnect; naming one that is unknown or already acknowledged does nothing.
     * Always OK. A retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.DispatchAcknowledgeResponse> dispatchAcknowledge(
        io.github.resonategrpc.v1.DispatchAcknowledgeRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDispatchAcknowledgeMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Stops pushes to one stream, which stays open while its worker finishes what it holds. What was pushed and not acquired
     * goes to others at once.
     * Answers, in this order: NOT_FOUND (SESSION_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.DispatchDrainResponse> dispatchDrain(
        io.github.resonategrpc.v1.DispatchDrainRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDispatchDrainMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_DISPATCH = 0;
  private static final int METHODID_DISPATCH_ACKNOWLEDGE = 1;
  private static final int METHODID_DISPATCH_DRAIN = 2;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_DISPATCH:
          serviceImpl.dispatch((io.github.resonategrpc.v1.DispatchRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.DispatchResponse>) responseObserver);
          break;
        case METHODID_DISPATCH_ACKNOWLEDGE:
          serviceImpl.dispatchAcknowledge((io.github.resonategrpc.v1.DispatchAcknowledgeRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.DispatchAcknowledgeResponse>) responseObserver);
          break;
        case METHODID_DISPATCH_DRAIN:
          serviceImpl.dispatchDrain((io.github.resonategrpc.v1.DispatchDrainRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.DispatchDrainResponse>) responseObserver);
          break;
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getDispatchMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.DispatchRequest,
              io.github.resonategrpc.v1.DispatchResponse>(
                service, METHODID_DISPATCH)))
        .addMethod(
          getDispatchAcknowledgeMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.DispatchAcknowledgeRequest,
              io.github.resonategrpc.v1.DispatchAcknowledgeResponse>(
                service, METHODID_DISPATCH_ACKNOWLEDGE)))
        .addMethod(
          getDispatchDrainMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.DispatchDrainRequest,
              io.github.resonategrpc.v1.DispatchDrainResponse>(
                service, METHODID_DISPATCH_DRAIN)))
        .build();
  }

  private static abstract class DispatchServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    DispatchServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.resonategrpc.v1.DispatchProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("DispatchService");
    }
  }

  private static final class DispatchServiceFileDescriptorSupplier
      extends DispatchServiceBaseDescriptorSupplier {
    DispatchServiceFileDescriptorSupplier() {}
  }

  private static final class DispatchServiceMethodDescriptorSupplier
      extends DispatchServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    DispatchServiceMethodDescriptorSupplier(java.lang.String methodName) {
      this.methodName = methodName;
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName(methodName);
    }
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (DispatchServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new DispatchServiceFileDescriptorSupplier())
              .addMethod(getDispatchMethod())
              .addMethod(getDispatchAcknowledgeMethod())
              .addMethod(getDispatchDrainMethod())
              .build();
        }
      }
    }
    return result;
  }
}
