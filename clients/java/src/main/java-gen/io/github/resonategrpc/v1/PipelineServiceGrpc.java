package io.github.resonategrpc.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Many calls over one stream, for processes that make a great many: they cost the server and its client a fraction of what calls
 * of their own cost. A server that has this service says so in `hello`, with the capability `pipeline`.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class PipelineServiceGrpc {

  private PipelineServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "resonate_grpc.v1.PipelineService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PipelineRequest,
      io.github.resonategrpc.v1.PipelineResponse> getPipelineMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Pipeline",
      requestType = io.github.resonategrpc.v1.PipelineRequest.class,
      responseType = io.github.resonategrpc.v1.PipelineResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PipelineRequest,
      io.github.resonategrpc.v1.PipelineResponse> getPipelineMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PipelineRequest, io.github.resonategrpc.v1.PipelineResponse> getPipelineMethod;
    if ((getPipelineMethod = PipelineServiceGrpc.getPipelineMethod) == null) {
      synchronized (PipelineServiceGrpc.class) {
        if ((getPipelineMethod = PipelineServiceGrpc.getPipelineMethod) == null) {
          PipelineServiceGrpc.getPipelineMethod = getPipelineMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.PipelineRequest, io.github.resonategrpc.v1.PipelineResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Pipeline"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PipelineRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PipelineResponse.getDefaultInstance()))
              .setSchemaDescriptor(new PipelineServiceMethodDescriptorSupplier("Pipeline"))
              .build();
        }
      }
    }
    return getPipelineMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static PipelineServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<PipelineServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<PipelineServiceStub>() {
        @java.lang.Override
        public PipelineServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new PipelineServiceStub(channel, callOptions);
        }
      };
    return PipelineServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static PipelineServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<PipelineServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<PipelineServiceBlockingV2Stub>() {
        @java.lang.Override
        public PipelineServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new PipelineServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return PipelineServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static PipelineServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<PipelineServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<PipelineServiceBlockingStub>() {
        @java.lang.Override
        public PipelineServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new PipelineServiceBlockingStub(channel, callOptions);
        }
      };
    return PipelineServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static PipelineServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<PipelineServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<PipelineServiceFutureStub>() {
        @java.lang.Override
        public PipelineServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new PipelineServiceFutureStub(channel, callOptions);
        }
      };
    return PipelineServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Many calls over one stream, for processes that make a great many: they cost the server and its client a fraction of what calls
   * of their own cost. A server that has this service says so in `hello`, with the capability `pipeline`.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Runs the calls that come in, each as if it were a call of its own: the same checks, limits, answers and refusals. An error of
     * a call is its answer, and not the end of the stream.
     * The mutations of one stream run in the order sent, and a read sees what was sent before it: a fence and the suspend after it
     * need no wait between them. Each mutation stands for itself: one that is refused does not stop those behind it. Answers come
     * in any order; each is durable before it is sent. A PromiseWait is answered when it is over, and holds nothing up.
     * The server runs 256 calls of a stream at a time (and holds 1,000 PromiseWaits, then refuses: OVERLOADED), and reads no further
     * before there is room: what is sent beyond that waits with the sender. A frame holds at most 10,000 calls and four times
     * `max_request_bytes`.
     * What the server has read is run, also if the stream breaks. What became of a call whose answer did not come is not known: see
     * at each rpc whether a retry is safe. When the client ends its side, the stream ends OK behind the last answer. Else it ends
     * with an error: UNAVAILABLE (DRAINING) when the server stops; INVALID_ARGUMENT (INVALID_REQUEST) for a frame that is not a
     * PipelineRequest, of which nothing is run. Set no deadline.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PipelineRequest> pipeline(
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PipelineResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getPipelineMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service PipelineService.
   * <pre>
   * Many calls over one stream, for processes that make a great many: they cost the server and its client a fraction of what calls
   * of their own cost. A server that has this service says so in `hello`, with the capability `pipeline`.
   * </pre>
   */
  public static abstract class PipelineServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return PipelineServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service PipelineService.
   * <pre>
   * Many calls over one stream, for processes that make a great many: they cost the server and its client a fraction of what calls
   * of their own cost. A server that has this service says so in `hello`, with the capability `pipeline`.
   * </pre>
   */
  public static final class PipelineServiceStub
      extends io.grpc.stub.AbstractAsyncStub<PipelineServiceStub> {
    private PipelineServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected PipelineServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new PipelineServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Runs the calls that come in, each as if it were a call of its own: the same checks, limits, answers and refusals. An error of
     * a call is its answer, and not the end of the stream.
     * The mutations of one stream run in the order sent, and a read sees what was sent before it: a fence and the suspend after it
     * need no wait between them. Each mutation stands for itself: one that is refused does not stop those behind it. Answers come
     * in any order; each is durable before it is sent. A PromiseWait is answered when it is over, and holds nothing up.
     * The server runs 256 calls of a stream at a time (and holds 1,000 PromiseWaits, then refuses: OVERLOADED), and reads no further
     * before there is room: what is sent beyond that waits with the sender. A frame holds at most 10,000 calls and four times
     * `max_request_bytes`.
     * What the server has read is run, also if the stream breaks. What became of a call whose answer did not come is not known: see
     * at each rpc whether a retry is safe. When the client ends its side, the stream ends OK behind the last answer. Else it ends
     * with an error: UNAVAILABLE (DRAINING) when the server stops; INVALID_ARGUMENT (INVALID_REQUEST) for a frame that is not a
     * PipelineRequest, of which nothing is run. Set no deadline.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PipelineRequest> pipeline(
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PipelineResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncBidiStreamingCall(
          getChannel().newCall(getPipelineMethod(), getCallOptions()), responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service PipelineService.
   * <pre>
   * Many calls over one stream, for processes that make a great many: they cost the server and its client a fraction of what calls
   * of their own cost. A server that has this service says so in `hello`, with the capability `pipeline`.
   * </pre>
   */
  public static final class PipelineServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<PipelineServiceBlockingV2Stub> {
    private PipelineServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected PipelineServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new PipelineServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Runs the calls that come in, each as if it were a call of its own: the same checks, limits, answers and refusals. An error of
     * a call is its answer, and not the end of the stream.
     * The mutations of one stream run in the order sent, and a read sees what was sent before it: a fence and the suspend after it
     * need no wait between them. Each mutation stands for itself: one that is refused does not stop those behind it. Answers come
     * in any order; each is durable before it is sent. A PromiseWait is answered when it is over, and holds nothing up.
     * The server runs 256 calls of a stream at a time (and holds 1,000 PromiseWaits, then refuses: OVERLOADED), and reads no further
     * before there is room: what is sent beyond that waits with the sender. A frame holds at most 10,000 calls and four times
     * `max_request_bytes`.
     * What the server has read is run, also if the stream breaks. What became of a call whose answer did not come is not known: see
     * at each rpc whether a retry is safe. When the client ends its side, the stream ends OK behind the last answer. Else it ends
     * with an error: UNAVAILABLE (DRAINING) when the server stops; INVALID_ARGUMENT (INVALID_REQUEST) for a frame that is not a
     * PipelineRequest, of which nothing is run. Set no deadline.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<io.github.resonategrpc.v1.PipelineRequest, io.github.resonategrpc.v1.PipelineResponse>
        pipeline() {
      return io.grpc.stub.ClientCalls.blockingBidiStreamingCall(
          getChannel(), getPipelineMethod(), getCallOptions());
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service PipelineService.
   * <pre>
   * Many calls over one stream, for processes that make a great many: they cost the server and its client a fraction of what calls
   * of their own cost. A server that has this service says so in `hello`, with the capability `pipeline`.
   * </pre>
   */
  public static final class PipelineServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<PipelineServiceBlockingStub> {
    private PipelineServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected PipelineServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new PipelineServiceBlockingStub(channel, callOptions);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service PipelineService.
   * <pre>
   * Many calls over one stream, for processes that make a great many: they cost the server and its client a fraction of what calls
   * of their own cost. A server that has this service says so in `hello`, with the capability `pipeline`.
   * </pre>
   */
  public static final class PipelineServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<PipelineServiceFutureStub> {
    private PipelineServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected PipelineServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new PipelineServiceFutureStub(channel, callOptions);
    }
  }

  private static final int METHODID_PIPELINE = 0;

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
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_PIPELINE:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.pipeline(
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PipelineResponse>) responseObserver);
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getPipelineMethod(),
          io.grpc.stub.ServerCalls.asyncBidiStreamingCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.PipelineRequest,
              io.github.resonategrpc.v1.PipelineResponse>(
                service, METHODID_PIPELINE)))
        .build();
  }

  private static abstract class PipelineServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    PipelineServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.resonategrpc.v1.PipelineProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("PipelineService");
    }
  }

  private static final class PipelineServiceFileDescriptorSupplier
      extends PipelineServiceBaseDescriptorSupplier {
    PipelineServiceFileDescriptorSupplier() {}
  }

  private static final class PipelineServiceMethodDescriptorSupplier
      extends PipelineServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    PipelineServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (PipelineServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new PipelineServiceFileDescriptorSupplier())
              .addMethod(getPipelineMethod())
              .build();
        }
      }
    }
    return result;
  }
}
