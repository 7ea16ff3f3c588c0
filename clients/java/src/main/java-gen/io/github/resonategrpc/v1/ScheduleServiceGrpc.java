package io.github.resonategrpc.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * A schedule creates a promise at every instant of a cron expression. An instant that was missed, because the server was
 * down, is caught up on: its promise is created as of that instant.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ScheduleServiceGrpc {

  private ScheduleServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "resonate_grpc.v1.ScheduleService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleGetRequest,
      io.github.resonategrpc.v1.ScheduleGetResponse> getScheduleGetMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ScheduleGet",
      requestType = io.github.resonategrpc.v1.ScheduleGetRequest.class,
      responseType = io.github.resonategrpc.v1.ScheduleGetResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleGetRequest,
      io.github.resonategrpc.v1.ScheduleGetResponse> getScheduleGetMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleGetRequest, io.github.resonategrpc.v1.ScheduleGetResponse> getScheduleGetMethod;
    if ((getScheduleGetMethod = ScheduleServiceGrpc.getScheduleGetMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getScheduleGetMethod = ScheduleServiceGrpc.getScheduleGetMethod) == null) {
          ScheduleServiceGrpc.getScheduleGetMethod = getScheduleGetMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.ScheduleGetRequest, io.github.resonategrpc.v1.ScheduleGetResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ScheduleGet"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.ScheduleGetRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.ScheduleGetResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("ScheduleGet"))
              .build();
        }
      }
    }
    return getScheduleGetMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleCreateRequest,
      io.github.resonategrpc.v1.ScheduleCreateResponse> getScheduleCreateMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ScheduleCreate",
      requestType = io.github.resonategrpc.v1.ScheduleCreateRequest.class,
      responseType = io.github.resonategrpc.v1.ScheduleCreateResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleCreateRequest,
      io.github.resonategrpc.v1.ScheduleCreateResponse> getScheduleCreateMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleCreateRequest, io.github.resonategrpc.v1.ScheduleCreateResponse> getScheduleCreateMethod;
    if ((getScheduleCreateMethod = ScheduleServiceGrpc.getScheduleCreateMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getScheduleCreateMethod = ScheduleServiceGrpc.getScheduleCreateMethod) == null) {
          ScheduleServiceGrpc.getScheduleCreateMethod = getScheduleCreateMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.ScheduleCreateRequest, io.github.resonategrpc.v1.ScheduleCreateResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ScheduleCreate"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.ScheduleCreateRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.ScheduleCreateResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("ScheduleCreate"))
              .build();
        }
      }
    }
    return getScheduleCreateMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleDeleteRequest,
      io.github.resonategrpc.v1.ScheduleDeleteResponse> getScheduleDeleteMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ScheduleDelete",
      requestType = io.github.resonategrpc.v1.ScheduleDeleteRequest.class,
      responseType = io.github.resonategrpc.v1.ScheduleDeleteResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleDeleteRequest,
      io.github.resonategrpc.v1.ScheduleDeleteResponse> getScheduleDeleteMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleDeleteRequest, io.github.resonategrpc.v1.ScheduleDeleteResponse> getScheduleDeleteMethod;
    if ((getScheduleDeleteMethod = ScheduleServiceGrpc.getScheduleDeleteMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getScheduleDeleteMethod = ScheduleServiceGrpc.getScheduleDeleteMethod) == null) {
          ScheduleServiceGrpc.getScheduleDeleteMethod = getScheduleDeleteMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.ScheduleDeleteRequest, io.github.resonategrpc.v1.ScheduleDeleteResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ScheduleDelete"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.ScheduleDeleteRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.ScheduleDeleteResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("ScheduleDelete"))
              .build();
        }
      }
    }
    return getScheduleDeleteMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleSearchRequest,
      io.github.resonategrpc.v1.ScheduleSearchResponse> getScheduleSearchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ScheduleSearch",
      requestType = io.github.resonategrpc.v1.ScheduleSearchRequest.class,
      responseType = io.github.resonategrpc.v1.ScheduleSearchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleSearchRequest,
      io.github.resonategrpc.v1.ScheduleSearchResponse> getScheduleSearchMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.ScheduleSearchRequest, io.github.resonategrpc.v1.ScheduleSearchResponse> getScheduleSearchMethod;
    if ((getScheduleSearchMethod = ScheduleServiceGrpc.getScheduleSearchMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getScheduleSearchMethod = ScheduleServiceGrpc.getScheduleSearchMethod) == null) {
          ScheduleServiceGrpc.getScheduleSearchMethod = getScheduleSearchMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.ScheduleSearchRequest, io.github.resonategrpc.v1.ScheduleSearchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ScheduleSearch"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.ScheduleSearchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.ScheduleSearchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("ScheduleSearch"))
              .build();
        }
      }
    }
    return getScheduleSearchMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ScheduleServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceStub>() {
        @java.lang.Override
        public ScheduleServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ScheduleServiceStub(channel, callOptions);
        }
      };
    return ScheduleServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static ScheduleServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceBlockingV2Stub>() {
        @java.lang.Override
        public ScheduleServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ScheduleServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return ScheduleServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ScheduleServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceBlockingStub>() {
        @java.lang.Override
        public ScheduleServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ScheduleServiceBlockingStub(channel, callOptions);
        }
      };
    return ScheduleServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ScheduleServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceFutureStub>() {
        @java.lang.Override
        public ScheduleServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ScheduleServiceFutureStub(channel, callOptions);
        }
      };
    return ScheduleServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * A schedule creates a promise at every instant of a cron expression. An instant that was missed, because the server was
   * down, is caught up on: its promise is created as of that instant.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * S-01 schedule.get: reads a schedule.
     * Answers, in this order: NOT_FOUND (SCHEDULE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    default void scheduleGet(io.github.resonategrpc.v1.ScheduleGetRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleGetResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getScheduleGetMethod(), responseObserver);
    }

    /**
     * <pre>
     * S-02 schedule.create: creates a schedule.
     * Always OK. Idempotent on the id: if the schedule exists, it is returned as it stands and the other fields of the request
     * are neither used nor compared, so a retry is always safe.
     * </pre>
     */
    default void scheduleCreate(io.github.resonategrpc.v1.ScheduleCreateRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleCreateResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getScheduleCreateMethod(), responseObserver);
    }

    /**
     * <pre>
     * S-03 schedule.delete: deletes a schedule. The promises that it created stay; instants not yet caught up on are dropped.
     * Answers, in this order: NOT_FOUND (SCHEDULE_NOT_FOUND); OK. After a lost answer a retry may answer NOT_FOUND.
     * </pre>
     */
    default void scheduleDelete(io.github.resonategrpc.v1.ScheduleDeleteRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleDeleteResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getScheduleDeleteMethod(), responseObserver);
    }

    /**
     * <pre>
     * S-04 schedule.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    default void scheduleSearch(io.github.resonategrpc.v1.ScheduleSearchRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleSearchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getScheduleSearchMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ScheduleService.
   * <pre>
   * A schedule creates a promise at every instant of a cron expression. An instant that was missed, because the server was
   * down, is caught up on: its promise is created as of that instant.
   * </pre>
   */
  public static abstract class ScheduleServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ScheduleServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ScheduleService.
   * <pre>
   * A schedule creates a promise at every instant of a cron expression. An instant that was missed, because the server was
   * down, is caught up on: its promise is created as of that instant.
   * </pre>
   */
  public static final class ScheduleServiceStub
      extends io.grpc.stub.AbstractAsyncStub<ScheduleServiceStub> {
    private ScheduleServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ScheduleServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ScheduleServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * S-01 schedule.get: reads a schedule.
     * Answers, in this order: NOT_FOUND (SCHEDULE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public void scheduleGet(io.github.resonategrpc.v1.ScheduleGetRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleGetResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getScheduleGetMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * S-02 schedule.create: creates a schedule.
     * Always OK. Idempotent on the id: if the schedule exists, it is returned as it stands and the other fields of the request
     * are neither used nor compared, so a retry is always safe.
     * </pre>
     */
    public void scheduleCreate(io.github.resonategrpc.v1.ScheduleCreateRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleCreateResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getScheduleCreateMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * S-03 schedule.delete: deletes a schedule. The promises that it created stay; instants not yet caught up on are dropped.
     * Answers, in this order: NOT_FOUND (SCHEDULE_NOT_FOUND); OK. After a lost answer a retry may answer NOT_FOUND.
     * </pre>
     */
    public void scheduleDelete(io.github.resonategrpc.v1.ScheduleDeleteRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleDeleteResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getScheduleDeleteMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * S-04 schedule.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public void scheduleSearch(io.github.resonategrpc.v1.ScheduleSearchRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleSearchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getScheduleSearchMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ScheduleService.
   * <pre>
   * A schedule creates a promise at every instant of a cron expression. An instant that was missed, because the server was
   * down, is caught up on: its promise is created as of that instant.
   * </pre>
   */
  public static final class ScheduleServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<ScheduleServiceBlockingV2Stub> {
    private ScheduleServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ScheduleServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ScheduleServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * S-01 schedule.get: reads a schedule.
     * Answers, in this order: NOT_FOUND (SCHEDULE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.ScheduleGetResponse scheduleGet(io.github.resonategrpc.v1.ScheduleGetRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getScheduleGetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * S-02 schedule.create: creates a schedule.
     * Always OK. Idempotent on the id: if the schedule exists, it is returned as it stands and the other fields of the request
     * are neither used nor compared, so a retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.ScheduleCreateResponse scheduleCreate(io.github.resonategrpc.v1.ScheduleCreateRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getScheduleCreateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * S-03 schedule.delete: deletes a schedule. The promises that it created stay; instants not yet caught up on are dropped.
     * Answers, in this order: NOT_FOUND (SCHEDULE_NOT_FOUND); OK. After a lost answer a retry may answer NOT_FOUND.
     * </pre>
     */
    public io.github.resonategrpc.v1.ScheduleDeleteResponse scheduleDelete(io.github.resonategrpc.v1.ScheduleDeleteRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getScheduleDeleteMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * S-04 schedule.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public io.github.resonategrpc.v1.ScheduleSearchResponse scheduleSearch(io.github.resonategrpc.v1.ScheduleSearchRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getScheduleSearchMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service ScheduleService.
   * <pre>
   * A schedule creates a promise at every instant of a cron expression. An instant that was missed, because the server was
   * down, is caught up on: its promise is created as of that instant.
   * </pre>
   */
  public static final class ScheduleServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ScheduleServiceBlockingStub> {
    private ScheduleServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ScheduleServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ScheduleServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * S-01 schedule.get: reads a schedule.
     * Answers, in this order: NOT_FOUND (SCHEDULE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.ScheduleGetResponse scheduleGet(io.github.resonategrpc.v1.ScheduleGetRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getScheduleGetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * S-02 schedule.create: creates a schedule.
     * Always OK. Idempotent on the id: if the schedule exists, it is returned as it stands and the other fields of the request
     * are neither used nor compared, so a retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.ScheduleCreateResponse scheduleCreate(io.github.resonategrpc.v1.ScheduleCreateRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getScheduleCreateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * S-03 schedule.delete: deletes a schedule. The promises that it created stay; instants not yet caught up on are dropped.
     * Answers, in this order: NOT_FOUND (SCHEDULE_NOT_FOUND); OK. After a lost answer a retry may answer NOT_FOUND.
     * </pre>
     */
    public io.github.resonategrpc.v1.ScheduleDeleteResponse scheduleDelete(io.github.resonategrpc.v1.ScheduleDeleteRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getScheduleDeleteMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * S-04 schedule.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public io.github.resonategrpc.v1.ScheduleSearchResponse scheduleSearch(io.github.resonategrpc.v1.ScheduleSearchRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getScheduleSearchMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ScheduleService.
   * <pre>
   * A schedule creates a promise at every instant of a cron expression. An instant that was missed, because the server was
   * down, is caught up on: its promise is created as of that instant.
   * </pre>
   */
  public static final class ScheduleServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<ScheduleServiceFutureStub> {
    private ScheduleServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ScheduleServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ScheduleServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * S-01 schedule.get: reads a schedule.
     * Answers, in this order: NOT_FOUND (SCHEDULE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.ScheduleGetResponse> scheduleGet(
        io.github.resonategrpc.v1.ScheduleGetRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getScheduleGetMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * S-02 schedule.create: creates a schedule.
     * Always OK. Idempotent on the id: if the schedule exists, it is returned as it stands and the other fields of the request
     * are neither used nor compared, so a retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.ScheduleCreateResponse> scheduleCreate(
        io.github.resonategrpc.v1.ScheduleCreateRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getScheduleCreateMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * S-03 schedule.delete: deletes a schedule. The promises that it created stay; instants not yet caught up on are dropped.
     * Answers, in this order: NOT_FOUND (SCHEDULE_NOT_FOUND); OK. After a lost answer a retry may answer NOT_FOUND.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.ScheduleDeleteResponse> scheduleDelete(
        io.github.resonategrpc.v1.ScheduleDeleteRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getScheduleDeleteMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * S-04 schedule.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.ScheduleSearchResponse> scheduleSearch(
        io.github.resonategrpc.v1.ScheduleSearchRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getScheduleSearchMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_SCHEDULE_GET = 0;
  private static final int METHODID_SCHEDULE_CREATE = 1;
  private static final int METHODID_SCHEDULE_DELETE = 2;
  private static final int METHODID_SCHEDULE_SEARCH = 3;

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
        case METHODID_SCHEDULE_GET:
          serviceImpl.scheduleGet((io.github.resonategrpc.v1.ScheduleGetRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleGetResponse>) responseObserver);
          break;
        case METHODID_SCHEDULE_CREATE:
          serviceImpl.scheduleCreate((io.github.resonategrpc.v1.ScheduleCreateRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleCreateResponse>) responseObserver);
          break;
        case METHODID_SCHEDULE_DELETE:
          serviceImpl.scheduleDelete((io.github.resonategrpc.v1.ScheduleDeleteRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleDeleteResponse>) responseObserver);
          break;
        case METHODID_SCHEDULE_SEARCH:
          serviceImpl.scheduleSearch((io.github.resonategrpc.v1.ScheduleSearchRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.ScheduleSearchResponse>) responseObserver);
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
          getScheduleGetMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.ScheduleGetRequest,
              io.github.resonategrpc.v1.ScheduleGetResponse>(
                service, METHODID_SCHEDULE_GET)))
        .addMethod(
          getScheduleCreateMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.ScheduleCreateRequest,
              io.github.resonategrpc.v1.ScheduleCreateResponse>(
                service, METHODID_SCHEDULE_CREATE)))
        .addMethod(
          getScheduleDeleteMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.ScheduleDeleteRequest,
              io.github.resonategrpc.v1.ScheduleDeleteResponse>(
                service, METHODID_SCHEDULE_DELETE)))
        .addMethod(
          getScheduleSearchMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.ScheduleSearchRequest,
              io.github.resonategrpc.v1.ScheduleSearchResponse>(
                service, METHODID_SCHEDULE_SEARCH)))
        .build();
  }

  private static abstract class ScheduleServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    ScheduleServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.resonategrpc.v1.ScheduleProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("ScheduleService");
    }
  }

  private static final class ScheduleServiceFileDescriptorSupplier
      extends ScheduleServiceBaseDescriptorSupplier {
    ScheduleServiceFileDescriptorSupplier() {}
  }

  private static final class ScheduleServiceMethodDescriptorSupplier
      extends ScheduleServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    ScheduleServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (ScheduleServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new ScheduleServiceFileDescriptorSupplier())
              .addMethod(getScheduleGetMethod())
              .addMethod(getScheduleCreateMethod())
              .addMethod(getScheduleDeleteMethod())
              .addMethod(getScheduleSearchMethod())
              .build();
        }
      }
    }
    return result;
  }
}
