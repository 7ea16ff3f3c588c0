package io.github.resonategrpc.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * A durable promise is an outcome that will exist: created once under an id of your choice, settled once, readable ever
 * after. A promise with the tag `resonate:target` also gets a task, which is pushed to a worker (see TaskService).
 * Tags with meaning:
 * - `resonate:target`: the address that gets the work. Its presence makes a task; empty makes a task that is sent nowhere.
 * - `resonate:timer` = `true`: a timer. At its deadline it resolves instead of timing out.
 * - `resonate:delay`: a decimal instant in ms. PromiseCreate holds the first push of the task back until then.
 * A pending promise whose deadline has passed is shown as settled everywhere, whether or not the server has written that
 * down yet: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`, with `settled_at_ms` = `timeout_at_ms` and no value.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class PromiseServiceGrpc {

  private PromiseServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "resonate_grpc.v1.PromiseService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseGetRequest,
      io.github.resonategrpc.v1.PromiseGetResponse> getPromiseGetMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PromiseGet",
      requestType = io.github.resonategrpc.v1.PromiseGetRequest.class,
      responseType = io.github.resonategrpc.v1.PromiseGetResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseGetRequest,
      io.github.resonategrpc.v1.PromiseGetResponse> getPromiseGetMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseGetRequest, io.github.resonategrpc.v1.PromiseGetResponse> getPromiseGetMethod;
    if ((getPromiseGetMethod = PromiseServiceGrpc.getPromiseGetMethod) == null) {
      synchronized (PromiseServiceGrpc.class) {
        if ((getPromiseGetMethod = PromiseServiceGrpc.getPromiseGetMethod) == null) {
          PromiseServiceGrpc.getPromiseGetMethod = getPromiseGetMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.PromiseGetRequest, io.github.resonategrpc.v1.PromiseGetResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PromiseGet"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseGetRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseGetResponse.getDefaultInstance()))
              .setSchemaDescriptor(new PromiseServiceMethodDescriptorSupplier("PromiseGet"))
              .build();
        }
      }
    }
    return getPromiseGetMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseCreateRequest,
      io.github.resonategrpc.v1.PromiseCreateResponse> getPromiseCreateMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PromiseCreate",
      requestType = io.github.resonategrpc.v1.PromiseCreateRequest.class,
      responseType = io.github.resonategrpc.v1.PromiseCreateResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseCreateRequest,
      io.github.resonategrpc.v1.PromiseCreateResponse> getPromiseCreateMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseCreateRequest, io.github.resonategrpc.v1.PromiseCreateResponse> getPromiseCreateMethod;
    if ((getPromiseCreateMethod = PromiseServiceGrpc.getPromiseCreateMethod) == null) {
      synchronized (PromiseServiceGrpc.class) {
        if ((getPromiseCreateMethod = PromiseServiceGrpc.getPromiseCreateMethod) == null) {
          PromiseServiceGrpc.getPromiseCreateMethod = getPromiseCreateMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.PromiseCreateRequest, io.github.resonategrpc.v1.PromiseCreateResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PromiseCreate"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseCreateRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseCreateResponse.getDefaultInstance()))
              .setSchemaDescriptor(new PromiseServiceMethodDescriptorSupplier("PromiseCreate"))
              .build();
        }
      }
    }
    return getPromiseCreateMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseSettleRequest,
      io.github.resonategrpc.v1.PromiseSettleResponse> getPromiseSettleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PromiseSettle",
      requestType = io.github.resonategrpc.v1.PromiseSettleRequest.class,
      responseType = io.github.resonategrpc.v1.PromiseSettleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseSettleRequest,
      io.github.resonategrpc.v1.PromiseSettleResponse> getPromiseSettleMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseSettleRequest, io.github.resonategrpc.v1.PromiseSettleResponse> getPromiseSettleMethod;
    if ((getPromiseSettleMethod = PromiseServiceGrpc.getPromiseSettleMethod) == null) {
      synchronized (PromiseServiceGrpc.class) {
        if ((getPromiseSettleMethod = PromiseServiceGrpc.getPromiseSettleMethod) == null) {
          PromiseServiceGrpc.getPromiseSettleMethod = getPromiseSettleMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.PromiseSettleRequest, io.github.resonategrpc.v1.PromiseSettleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PromiseSettle"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseSettleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseSettleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new PromiseServiceMethodDescriptorSupplier("PromiseSettle"))
              .build();
        }
      }
    }
    return getPromiseSettleMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseRegisterCallbackRequest,
      io.github.resonategrpc.v1.PromiseRegisterCallbackResponse> getPromiseRegisterCallbackMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PromiseRegisterCallback",
      requestType = io.github.resonategrpc.v1.PromiseRegisterCallbackRequest.class,
      responseType = io.github.resonategrpc.v1.PromiseRegisterCallbackResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseRegisterCallbackRequest,
      io.github.resonategrpc.v1.PromiseRegisterCallbackResponse> getPromiseRegisterCallbackMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseRegisterCallbackRequest, io.github.resonategrpc.v1.PromiseRegisterCallbackResponse> getPromiseRegisterCallbackMethod;
    if ((getPromiseRegisterCallbackMethod = PromiseServiceGrpc.getPromiseRegisterCallbackMethod) == null) {
      synchronized (PromiseServiceGrpc.class) {
        if ((getPromiseRegisterCallbackMethod = PromiseServiceGrpc.getPromiseRegisterCallbackMethod) == null) {
          PromiseServiceGrpc.getPromiseRegisterCallbackMethod = getPromiseRegisterCallbackMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.PromiseRegisterCallbackRequest, io.github.resonategrpc.v1.PromiseRegisterCallbackResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PromiseRegisterCallback"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseRegisterCallbackRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseRegisterCallbackResponse.getDefaultInstance()))
              .setSchemaDescriptor(new PromiseServiceMethodDescriptorSupplier("PromiseRegisterCallback"))
              .build();
        }
      }
    }
    return getPromiseRegisterCallbackMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseRegisterListenerRequest,
      io.github.resonategrpc.v1.PromiseRegisterListenerResponse> getPromiseRegisterListenerMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PromiseRegisterListener",
      requestType = io.github.resonategrpc.v1.PromiseRegisterListenerRequest.class,
      responseType = io.github.resonategrpc.v1.PromiseRegisterListenerResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseRegisterListenerRequest,
      io.github.resonategrpc.v1.PromiseRegisterListenerResponse> getPromiseRegisterListenerMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseRegisterListenerRequest, io.github.resonategrpc.v1.PromiseRegisterListenerResponse> getPromiseRegisterListenerMethod;
    if ((getPromiseRegisterListenerMethod = PromiseServiceGrpc.getPromiseRegisterListenerMethod) == null) {
      synchronized (PromiseServiceGrpc.class) {
        if ((getPromiseRegisterListenerMethod = PromiseServiceGrpc.getPromiseRegisterListenerMethod) == null) {
          PromiseServiceGrpc.getPromiseRegisterListenerMethod = getPromiseRegisterListenerMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.PromiseRegisterListenerRequest, io.github.resonategrpc.v1.PromiseRegisterListenerResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PromiseRegisterListener"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseRegisterListenerRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseRegisterListenerResponse.getDefaultInstance()))
              .setSchemaDescriptor(new PromiseServiceMethodDescriptorSupplier("PromiseRegisterListener"))
              .build();
        }
      }
    }
    return getPromiseRegisterListenerMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseSearchRequest,
      io.github.resonategrpc.v1.PromiseSearchResponse> getPromiseSearchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PromiseSearch",
      requestType = io.github.resonategrpc.v1.PromiseSearchRequest.class,
      responseType = io.github.resonategrpc.v1.PromiseSearchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseSearchRequest,
      io.github.resonategrpc.v1.PromiseSearchResponse> getPromiseSearchMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseSearchRequest, io.github.resonategrpc.v1.PromiseSearchResponse> getPromiseSearchMethod;
    if ((getPromiseSearchMethod = PromiseServiceGrpc.getPromiseSearchMethod) == null) {
      synchronized (PromiseServiceGrpc.class) {
        if ((getPromiseSearchMethod = PromiseServiceGrpc.getPromiseSearchMethod) == null) {
          PromiseServiceGrpc.getPromiseSearchMethod = getPromiseSearchMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.PromiseSearchRequest, io.github.resonategrpc.v1.PromiseSearchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PromiseSearch"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseSearchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseSearchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new PromiseServiceMethodDescriptorSupplier("PromiseSearch"))
              .build();
        }
      }
    }
    return getPromiseSearchMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseWaitRequest,
      io.github.resonategrpc.v1.PromiseWaitResponse> getPromiseWaitMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PromiseWait",
      requestType = io.github.resonategrpc.v1.PromiseWaitRequest.class,
      responseType = io.github.resonategrpc.v1.PromiseWaitResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseWaitRequest,
      io.github.resonategrpc.v1.PromiseWaitResponse> getPromiseWaitMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.PromiseWaitRequest, io.github.resonategrpc.v1.PromiseWaitResponse> getPromiseWaitMethod;
    if ((getPromiseWaitMethod = PromiseServiceGrpc.getPromiseWaitMethod) == null) {
      synchronized (PromiseServiceGrpc.class) {
        if ((getPromiseWaitMethod = PromiseServiceGrpc.getPromiseWaitMethod) == null) {
          PromiseServiceGrpc.getPromiseWaitMethod = getPromiseWaitMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.PromiseWaitRequest, io.github.resonategrpc.v1.PromiseWaitResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PromiseWait"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseWaitRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.PromiseWaitResponse.getDefaultInstance()))
              .setSchemaDescriptor(new PromiseServiceMethodDescriptorSupplier("PromiseWait"))
              .build();
        }
      }
    }
    return getPromiseWaitMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static PromiseServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<PromiseServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<PromiseServiceStub>() {
        @java.lang.Override
        public PromiseServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new PromiseServiceStub(channel, callOptions);
        }
      };
    return PromiseServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static PromiseServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<PromiseServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<PromiseServiceBlockingV2Stub>() {
        @java.lang.Override
        public PromiseServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new PromiseServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return PromiseServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static PromiseServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<PromiseServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<PromiseServiceBlockingStub>() {
        @java.lang.Override
        public PromiseServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new PromiseServiceBlockingStub(channel, callOptions);
        }
      };
    return PromiseServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static PromiseServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<PromiseServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<PromiseServiceFutureStub>() {
        @java.lang.Override
        public PromiseServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new PromiseServiceFutureStub(channel, callOptions);
        }
      };
    return PromiseServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * A durable promise is an outcome that will exist: created once under an id of your choice, settled once, readable ever
   * after. A promise with the tag `resonate:target` also gets a task, which is pushed to a worker (see TaskService).
   * Tags with meaning:
   * - `resonate:target`: the address that gets the work. Its presence makes a task; empty makes a task that is sent nowhere.
   * - `resonate:timer` = `true`: a timer. At its deadline it resolves instead of timing out.
   * - `resonate:delay`: a decimal instant in ms. PromiseCreate holds the first push of the task back until then.
   * A pending promise whose deadline has passed is shown as settled everywhere, whether or not the server has written that
   * down yet: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`, with `settled_at_ms` = `timeout_at_ms` and no value.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * P-01 promise.get: reads a promise.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    default void promiseGet(io.github.resonategrpc.v1.PromiseGetRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseGetResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPromiseGetMethod(), responseObserver);
    }

    /**
     * <pre>
     * P-02 promise.create: creates a promise, and its task if it has a `resonate:target`.
     * Always OK. Idempotent on the id: if the promise exists, it is returned as it stands and the other fields of the
     * request are neither used nor compared, so a retry is always safe. A deadline that is not in the future creates the
     * promise already settled: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`.
     * </pre>
     */
    default void promiseCreate(io.github.resonategrpc.v1.PromiseCreateRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseCreateResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPromiseCreateMethod(), responseObserver);
    }

    /**
     * <pre>
     * P-03 promise.settle: settles a pending promise. Its task, if any, becomes fulfilled, its listeners are sent an
     * unblock, and the tasks that await it are resumed, all in one transaction.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK. If the promise is already settled or its deadline has
     * passed, the answer is OK with the outcome that stands, which may be another one than yours. A retry is always safe.
     * </pre>
     */
    default void promiseSettle(io.github.resonategrpc.v1.PromiseSettleRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseSettleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPromiseSettleMethod(), responseObserver);
    }

    /**
     * <pre>
     * P-04 promise.register_callback: has the awaiter's task resumed when the awaited promise settles. Registering twice
     * is registering once. Workers use TaskSuspend instead, which registers and parks the task in one step.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND) for the awaited; FAILED_PRECONDITION (AWAITER_NOT_FOUND, then
     * AWAITER_WITHOUT_TARGET); OK with the awaited promise. If that is settled, nothing was registered. A retry is always
     * safe.
     * </pre>
     */
    default void promiseRegisterCallback(io.github.resonategrpc.v1.PromiseRegisterCallbackRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseRegisterCallbackResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPromiseRegisterCallbackMethod(), responseObserver);
    }

    /**
     * <pre>
     * P-05 promise.register_listener: has an unblock sent to the address when the promise settles. Registering twice is
     * registering once.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK with the promise. If that is settled, nothing was
     * registered and nothing will be sent: the answer is the outcome. A retry is always safe.
     * </pre>
     */
    default void promiseRegisterListener(io.github.resonategrpc.v1.PromiseRegisterListenerRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseRegisterListenerResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPromiseRegisterListenerMethod(), responseObserver);
    }

    /**
     * <pre>
     * P-06 promise.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    default void promiseSearch(io.github.resonategrpc.v1.PromiseSearchRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseSearchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPromiseSearchMethod(), responseObserver);
    }

    /**
     * <pre>
     * Waits until the promise is settled and answers with it; at once if it is settled already. An extension of this
     * server: it registers nothing durable, so it lives as long as the call. Give the call a deadline of at most 24 days.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK; DEADLINE_EXCEEDED at the caller's deadline; UNAVAILABLE
     * (DRAINING) when the server stops: call again. A retry is always safe.
     * </pre>
     */
    default void promiseWait(io.github.resonategrpc.v1.PromiseWaitRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseWaitResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPromiseWaitMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service PromiseService.
   * <pre>
   * A durable promise is an outcome that will exist: created once under an id of your choice, settled once, readable ever
   * after. A promise with the tag `resonate:target` also gets a task, which is pushed to a worker (see TaskService).
   * Tags with meaning:
   * - `resonate:target`: the address that gets the work. Its presence makes a task; empty makes a task that is sent nowhere.
   * - `resonate:timer` = `true`: a timer. At its deadline it resolves instead of timing out.
   * - `resonate:delay`: a decimal instant in ms. PromiseCreate holds the first push of the task back until then.
   * A pending promise whose deadline has passed is shown as settled everywhere, whether or not the server has written that
   * down yet: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`, with `settled_at_ms` = `timeout_at_ms` and no value.
   * </pre>
   */
  public static abstract class PromiseServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return PromiseServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service PromiseService.
   * <pre>
   * A durable promise is an outcome that will exist: created once under an id of your choice, settled once, readable ever
   * after. A promise with the tag `resonate:target` also gets a task, which is pushed to a worker (see TaskService).
   * Tags with meaning:
   * - `resonate:target`: the address that gets the work. Its presence makes a task; empty makes a task that is sent nowhere.
   * - `resonate:timer` = `true`: a timer. At its deadline it resolves instead of timing out.
   * - `resonate:delay`: a decimal instant in ms. PromiseCreate holds the first push of the task back until then.
   * A pending promise whose deadline has passed is shown as settled everywhere, whether or not the server has written that
   * down yet: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`, with `settled_at_ms` = `timeout_at_ms` and no value.
   * </pre>
   */
  public static final class PromiseServiceStub
      extends io.grpc.stub.AbstractAsyncStub<PromiseServiceStub> {
    private PromiseServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected PromiseServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new PromiseServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * P-01 promise.get: reads a promise.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public void promiseGet(io.github.resonategrpc.v1.PromiseGetRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseGetResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPromiseGetMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * P-02 promise.create: creates a promise, and its task if it has a `resonate:target`.
     * Always OK. Idempotent on the id: if the promise exists, it is returned as it stands and the other fields of the
     * request are neither used nor compared, so a retry is always safe. A deadline that is not in the future creates the
     * promise already settled: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`.
     * </pre>
     */
    public void promiseCreate(io.github.resonategrpc.v1.PromiseCreateRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseCreateResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPromiseCreateMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * P-03 promise.settle: settles a pending promise. Its task, if any, becomes fulfilled, its listeners are sent an
     * unblock, and the tasks that await it are resumed, all in one transaction.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK. If the promise is already settled or its deadline has
     * passed, the answer is OK with the outcome that stands, which may be another one than yours. A retry is always safe.
     * </pre>
     */
    public void promiseSettle(io.github.resonategrpc.v1.PromiseSettleRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseSettleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPromiseSettleMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * P-04 promise.register_callback: has the awaiter's task resumed when the awaited promise settles. Registering twice
     * is registering once. Workers use TaskSuspend instead, which registers and parks the task in one step.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND) for the awaited; FAILED_PRECONDITION (AWAITER_NOT_FOUND, then
     * AWAITER_WITHOUT_TARGET); OK with the awaited promise. If that is settled, nothing was registered. A retry is always
     * safe.
     * </pre>
     */
    public void promiseRegisterCallback(io.github.resonategrpc.v1.PromiseRegisterCallbackRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseRegisterCallbackResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPromiseRegisterCallbackMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * P-05 promise.register_listener: has an unblock sent to the address when the promise settles. Registering twice is
     * registering once.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK with the promise. If that is settled, nothing was
     * registered and nothing will be sent: the answer is the outcome. A retry is always safe.
     * </pre>
     */
    public void promiseRegisterListener(io.github.resonategrpc.v1.PromiseRegisterListenerRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseRegisterListenerResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPromiseRegisterListenerMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * P-06 promise.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public void promiseSearch(io.github.resonategrpc.v1.PromiseSearchRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseSearchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPromiseSearchMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Waits until the promise is settled and answers with it; at once if it is settled already. An extension of this
     * server: it registers nothing durable, so it lives as long as the call. Give the call a deadline of at most 24 days.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK; DEADLINE_EXCEEDED at the caller's deadline; UNAVAILABLE
     * (DRAINING) when the server stops: call again. A retry is always safe.
     * </pre>
     */
    public void promiseWait(io.github.resonategrpc.v1.PromiseWaitRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseWaitResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPromiseWaitMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service PromiseService.
   * <pre>
   * A durable promise is an outcome that will exist: created once under an id of your choice, settled once, readable ever
   * after. A promise with the tag `resonate:target` also gets a task, which is pushed to a worker (see TaskService).
   * Tags with meaning:
   * - `resonate:target`: the address that gets the work. Its presence makes a task; empty makes a task that is sent nowhere.
   * - `resonate:timer` = `true`: a timer. At its deadline it resolves instead of timing out.
   * - `resonate:delay`: a decimal instant in ms. PromiseCreate holds the first push of the task back until then.
   * A pending promise whose deadline has passed is shown as settled everywhere, whether or not the server has written that
   * down yet: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`, with `settled_at_ms` = `timeout_at_ms` and no value.
   * </pre>
   */
  public static final class PromiseServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<PromiseServiceBlockingV2Stub> {
    private PromiseServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected PromiseServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new PromiseServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * P-01 promise.get: reads a promise.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseGetResponse promiseGet(io.github.resonategrpc.v1.PromiseGetRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPromiseGetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * P-02 promise.create: creates a promise, and its task if it has a `resonate:target`.
     * Always OK. Idempotent on the id: if the promise exists, it is returned as it stands and the other fields of the
     * request are neither used nor compared, so a retry is always safe. A deadline that is not in the future creates the
     * promise already settled: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseCreateResponse promiseCreate(io.github.resonategrpc.v1.PromiseCreateRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPromiseCreateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * P-03 promise.settle: settles a pending promise. Its task, if any, becomes fulfilled, its listeners are sent an
     * unblock, and the tasks that await it are resumed, all in one transaction.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK. If the promise is already settled or its deadline has
     * passed, the answer is OK with the outcome that stands, which may be another one than yours. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseSettleResponse promiseSettle(io.github.resonategrpc.v1.PromiseSettleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPromiseSettleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * P-04 promise.register_callback: has the awaiter's task resumed when the awaited promise settles. Registering twice
     * is registering once. Workers use TaskSuspend instead, which registers and parks the task in one step.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND) for the awaited; FAILED_PRECONDITION (AWAITER_NOT_FOUND, then
     * AWAITER_WITHOUT_TARGET); OK with the awaited promise. If that is settled, nothing was registered. A retry is always
     * safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseRegisterCallbackResponse promiseRegisterCallback(io.github.resonategrpc.v1.PromiseRegisterCallbackRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPromiseRegisterCallbackMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * P-05 promise.register_listener: has an unblock sent to the address when the promise settles. Registering twice is
     * registering once.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK with the promise. If that is settled, nothing was
     * registered and nothing will be sent: the answer is the outcome. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseRegisterListenerResponse promiseRegisterListener(io.github.resonategrpc.v1.PromiseRegisterListenerRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPromiseRegisterListenerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * P-06 promise.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseSearchResponse promiseSearch(io.github.resonategrpc.v1.PromiseSearchRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPromiseSearchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Waits until the promise is settled and answers with it; at once if it is settled already. An extension of this
     * server: it registers nothing durable, so it lives as long as the call. Give the call a deadline of at most 24 days.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK; DEADLINE_EXCEEDED at the caller's deadline; UNAVAILABLE
     * (DRAINING) when the server stops: call again. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseWaitResponse promiseWait(io.github.resonategrpc.v1.PromiseWaitRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPromiseWaitMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service PromiseService.
   * <pre>
   * A durable promise is an outcome that will exist: created once under an id of your choice, settled once, readable ever
   * after. A promise with the tag `resonate:target` also gets a task, which is pushed to a worker (see TaskService).
   * Tags with meaning:
   * - `resonate:target`: the address that gets the work. Its presence makes a task; empty makes a task that is sent nowhere.
   * - `resonate:timer` = `true`: a timer. At its deadline it resolves instead of timing out.
   * - `resonate:delay`: a decimal instant in ms. PromiseCreate holds the first push of the task back until then.
   * A pending promise whose deadline has passed is shown as settled everywhere, whether or not the server has written that
   * down yet: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`, with `settled_at_ms` = `timeout_at_ms` and no value.
   * </pre>
   */
  public static final class PromiseServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<PromiseServiceBlockingStub> {
    private PromiseServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected PromiseServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new PromiseServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * P-01 promise.get: reads a promise.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseGetResponse promiseGet(io.github.resonategrpc.v1.PromiseGetRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPromiseGetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * P-02 promise.create: creates a promise, and its task if it has a `resonate:target`.
     * Always OK. Idempotent on the id: if the promise exists, it is returned as it stands and the other fields of the
     * request are neither used nor compared, so a retry is always safe. A deadline that is not in the future creates the
     * promise already settled: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseCreateResponse promiseCreate(io.github.resonategrpc.v1.PromiseCreateRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPromiseCreateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * P-03 promise.settle: settles a pending promise. Its task, if any, becomes fulfilled, its listeners are sent an
     * unblock, and the tasks that await it are resumed, all in one transaction.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK. If the promise is already settled or its deadline has
     * passed, the answer is OK with the outcome that stands, which may be another one than yours. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseSettleResponse promiseSettle(io.github.resonategrpc.v1.PromiseSettleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPromiseSettleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * P-04 promise.register_callback: has the awaiter's task resumed when the awaited promise settles. Registering twice
     * is registering once. Workers use TaskSuspend instead, which registers and parks the task in one step.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND) for the awaited; FAILED_PRECONDITION (AWAITER_NOT_FOUND, then
     * AWAITER_WITHOUT_TARGET); OK with the awaited promise. If that is settled, nothing was registered. A retry is always
     * safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseRegisterCallbackResponse promiseRegisterCallback(io.github.resonategrpc.v1.PromiseRegisterCallbackRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPromiseRegisterCallbackMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * P-05 promise.register_listener: has an unblock sent to the address when the promise settles. Registering twice is
     * registering once.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK with the promise. If that is settled, nothing was
     * registered and nothing will be sent: the answer is the outcome. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseRegisterListenerResponse promiseRegisterListener(io.github.resonategrpc.v1.PromiseRegisterListenerRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPromiseRegisterListenerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * P-06 promise.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseSearchResponse promiseSearch(io.github.resonategrpc.v1.PromiseSearchRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPromiseSearchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Waits until the promise is settled and answers with it; at once if it is settled already. An extension of this
     * server: it registers nothing durable, so it lives as long as the call. Give the call a deadline of at most 24 days.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK; DEADLINE_EXCEEDED at the caller's deadline; UNAVAILABLE
     * (DRAINING) when the server stops: call again. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.PromiseWaitResponse promiseWait(io.github.resonategrpc.v1.PromiseWaitRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPromiseWaitMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service PromiseService.
   * <pre>
   * A durable promise is an outcome that will exist: created once under an id of your choice, settled once, readable ever
   * after. A promise with the tag `resonate:target` also gets a task, which is pushed to a worker (see TaskService).
   * Tags with meaning:
   * - `resonate:target`: the address that gets the work. Its presence makes a task; empty makes a task that is sent nowhere.
   * - `resonate:timer` = `true`: a timer. At its deadline it resolves instead of timing out.
   * - `resonate:delay`: a decimal instant in ms. PromiseCreate holds the first push of the task back until then.
   * A pending promise whose deadline has passed is shown as settled everywhere, whether or not the server has written that
   * down yet: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`, with `settled_at_ms` = `timeout_at_ms` and no value.
   * </pre>
   */
  public static final class PromiseServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<PromiseServiceFutureStub> {
    private PromiseServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected PromiseServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new PromiseServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * P-01 promise.get: reads a promise.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.PromiseGetResponse> promiseGet(
        io.github.resonategrpc.v1.PromiseGetRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPromiseGetMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * P-02 promise.create: creates a promise, and its task if it has a `resonate:target`.
     * Always OK. Idempotent on the id: if the promise exists, it is returned as it stands and the other fields of the
     * request are neither used nor compared, so a retry is always safe. A deadline that is not in the future creates the
     * promise already settled: `RESOLVED` if it is a timer, else `REJECTED_TIMEDOUT`.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.PromiseCreateResponse> promiseCreate(
        io.github.resonategrpc.v1.PromiseCreateRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPromiseCreateMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * P-03 promise.settle: settles a pending promise. Its task, if any, becomes fulfilled, its listeners are sent an
     * unblock, and the tasks that await it are resumed, all in one transaction.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK. If the promise is already settled or its deadline has
     * passed, the answer is OK with the outcome that stands, which may be another one than yours. A retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.PromiseSettleResponse> promiseSettle(
        io.github.resonategrpc.v1.PromiseSettleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPromiseSettleMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * P-04 promise.register_callback: has the awaiter's task resumed when the awaited promise settles. Registering twice
     * is registering once. Workers use TaskSuspend instead, which registers and parks the task in one step.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND) for the awaited; FAILED_PRECONDITION (AWAITER_NOT_FOUND, then
     * AWAITER_WITHOUT_TARGET); OK with the awaited promise. If that is settled, nothing was registered. A retry is always
     * safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.PromiseRegisterCallbackResponse> promiseRegisterCallback(
        io.github.resonategrpc.v1.PromiseRegisterCallbackRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPromiseRegisterCallbackMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * P-05 promise.register_listener: has an unblock sent to the address when the promise settles. Registering twice is
     * registering once.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK with the promise. If that is settled, nothing was
     * registered and nothing will be sent: the answer is the outcome. A retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.PromiseRegisterListenerResponse> promiseRegisterListener(
        io.github.resonategrpc.v1.PromiseRegisterListenerRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPromiseRegisterListenerMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * P-06 promise.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.PromiseSearchResponse> promiseSearch(
        io.github.resonategrpc.v1.PromiseSearchRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPromiseSearchMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Waits until the promise is settled and answers with it; at once if it is settled already. An extension of this
     * server: it registers nothing durable, so it lives as long as the call. Give the call a deadline of at most 24 days.
     * Answers, in this order: NOT_FOUND (PROMISE_NOT_FOUND); OK; DEADLINE_EXCEEDED at the caller's deadline; UNAVAILABLE
     * (DRAINING) when the server stops: call again. A retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.PromiseWaitResponse> promiseWait(
        io.github.resonategrpc.v1.PromiseWaitRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPromiseWaitMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_PROMISE_GET = 0;
  private static final int METHODID_PROMISE_CREATE = 1;
  private static final int METHODID_PROMISE_SETTLE = 2;
  private static final int METHODID_PROMISE_REGISTER_CALLBACK = 3;
  private static final int METHODID_PROMISE_REGISTER_LISTENER = 4;
  private static final int METHODID_PROMISE_SEARCH = 5;
  private static final int METHODID_PROMISE_WAIT = 6;

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
        case METHODID_PROMISE_GET:
          serviceImpl.promiseGet((io.github.resonategrpc.v1.PromiseGetRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseGetResponse>) responseObserver);
          break;
        case METHODID_PROMISE_CREATE:
          serviceImpl.promiseCreate((io.github.resonategrpc.v1.PromiseCreateRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseCreateResponse>) responseObserver);
          break;
        case METHODID_PROMISE_SETTLE:
          serviceImpl.promiseSettle((io.github.resonategrpc.v1.PromiseSettleRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseSettleResponse>) responseObserver);
          break;
        case METHODID_PROMISE_REGISTER_CALLBACK:
          serviceImpl.promiseRegisterCallback((io.github.resonategrpc.v1.PromiseRegisterCallbackRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseRegisterCallbackResponse>) responseObserver);
          break;
        case METHODID_PROMISE_REGISTER_LISTENER:
          serviceImpl.promiseRegisterListener((io.github.resonategrpc.v1.PromiseRegisterListenerRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseRegisterListenerResponse>) responseObserver);
          break;
        case METHODID_PROMISE_SEARCH:
          serviceImpl.promiseSearch((io.github.resonategrpc.v1.PromiseSearchRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseSearchResponse>) responseObserver);
          break;
        case METHODID_PROMISE_WAIT:
          serviceImpl.promiseWait((io.github.resonategrpc.v1.PromiseWaitRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.PromiseWaitResponse>) responseObserver);
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
          getPromiseGetMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.PromiseGetRequest,
              io.github.resonategrpc.v1.PromiseGetResponse>(
                service, METHODID_PROMISE_GET)))
        .addMethod(
          getPromiseCreateMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.PromiseCreateRequest,
              io.github.resonategrpc.v1.PromiseCreateResponse>(
                service, METHODID_PROMISE_CREATE)))
        .addMethod(
          getPromiseSettleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.PromiseSettleRequest,
              io.github.resonategrpc.v1.PromiseSettleResponse>(
                service, METHODID_PROMISE_SETTLE)))
        .addMethod(
          getPromiseRegisterCallbackMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.PromiseRegisterCallbackRequest,
              io.github.resonategrpc.v1.PromiseRegisterCallbackResponse>(
                service, METHODID_PROMISE_REGISTER_CALLBACK)))
        .addMethod(
          getPromiseRegisterListenerMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.PromiseRegisterListenerRequest,
              io.github.resonategrpc.v1.PromiseRegisterListenerResponse>(
                service, METHODID_PROMISE_REGISTER_LISTENER)))
        .addMethod(
          getPromiseSearchMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.PromiseSearchRequest,
              io.github.resonategrpc.v1.PromiseSearchResponse>(
                service, METHODID_PROMISE_SEARCH)))
        .addMethod(
          getPromiseWaitMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.PromiseWaitRequest,
              io.github.resonategrpc.v1.PromiseWaitResponse>(
                service, METHODID_PROMISE_WAIT)))
        .build();
  }

  private static abstract class PromiseServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    PromiseServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.resonategrpc.v1.PromiseProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("PromiseService");
    }
  }

  private static final class PromiseServiceFileDescriptorSupplier
      extends PromiseServiceBaseDescriptorSupplier {
    PromiseServiceFileDescriptorSupplier() {}
  }

  private static final class PromiseServiceMethodDescriptorSupplier
      extends PromiseServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    PromiseServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (PromiseServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new PromiseServiceFileDescriptorSupplier())
              .addMethod(getPromiseGetMethod())
              .addMethod(getPromiseCreateMethod())
              .addMethod(getPromiseSettleMethod())
              .addMethod(getPromiseRegisterCallbackMethod())
              .addMethod(getPromiseRegisterListenerMethod())
              .addMethod(getPromiseSearchMethod())
              .addMethod(getPromiseWaitMethod())
              .build();
        }
      }
    }
    return result;
  }
}
