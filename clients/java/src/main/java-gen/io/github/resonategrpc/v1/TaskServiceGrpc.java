package io.github.resonategrpc.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * A task is the work that fulfils a promise. It has the promise's id. At any moment at most one worker holds it: the
 * one whose TaskAcquire or TaskCreate was given the current version. A holder names that version in every call; a worker
 * that lost its lease cannot write, whatever it believes.
 * The life of a task: `PENDING` (pushed to its target until somebody acquires it) → `ACQUIRED` (held under a lease of
 * `ttl_ms`, renewed by TaskHeartbeat) → `FULFILLED`; or `SUSPENDED` (waiting for other promises) → `PENDING` again. A lost
 * lease and TaskRelease lead back to `PENDING`; TaskHalt takes a task out of circulation until TaskContinue.
 * TaskFence, TaskSuspend, TaskFulfill and TaskRelease share their checks, in this order: the task exists, else NOT_FOUND
 * (TASK_NOT_FOUND); its promise exists, else ABORTED (PROMISE_MISSING); the task is acquired, else ABORTED
 * (TASK_NOT_ACQUIRED); the promise is live, else ABORTED (PROMISE_NOT_LIVE); the version is the current one, else ABORTED
 * (TASK_VERSION_MISMATCH). ABORTED means: stop working on it, unless the metadata shows that you are the holder.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class TaskServiceGrpc {

  private TaskServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "resonate_grpc.v1.TaskService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskGetRequest,
      io.github.resonategrpc.v1.TaskGetResponse> getTaskGetMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskGet",
      requestType = io.github.resonategrpc.v1.TaskGetRequest.class,
      responseType = io.github.resonategrpc.v1.TaskGetResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskGetRequest,
      io.github.resonategrpc.v1.TaskGetResponse> getTaskGetMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskGetRequest, io.github.resonategrpc.v1.TaskGetResponse> getTaskGetMethod;
    if ((getTaskGetMethod = TaskServiceGrpc.getTaskGetMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskGetMethod = TaskServiceGrpc.getTaskGetMethod) == null) {
          TaskServiceGrpc.getTaskGetMethod = getTaskGetMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskGetRequest, io.github.resonategrpc.v1.TaskGetResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskGet"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskGetRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskGetResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskGet"))
              .build();
        }
      }
    }
    return getTaskGetMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskCreateRequest,
      io.github.resonategrpc.v1.TaskCreateResponse> getTaskCreateMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskCreate",
      requestType = io.github.resonategrpc.v1.TaskCreateRequest.class,
      responseType = io.github.resonategrpc.v1.TaskCreateResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskCreateRequest,
      io.github.resonategrpc.v1.TaskCreateResponse> getTaskCreateMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskCreateRequest, io.github.resonategrpc.v1.TaskCreateResponse> getTaskCreateMethod;
    if ((getTaskCreateMethod = TaskServiceGrpc.getTaskCreateMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskCreateMethod = TaskServiceGrpc.getTaskCreateMethod) == null) {
          TaskServiceGrpc.getTaskCreateMethod = getTaskCreateMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskCreateRequest, io.github.resonategrpc.v1.TaskCreateResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskCreate"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskCreateRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskCreateResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskCreate"))
              .build();
        }
      }
    }
    return getTaskCreateMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskAcquireRequest,
      io.github.resonategrpc.v1.TaskAcquireResponse> getTaskAcquireMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskAcquire",
      requestType = io.github.resonategrpc.v1.TaskAcquireRequest.class,
      responseType = io.github.resonategrpc.v1.TaskAcquireResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskAcquireRequest,
      io.github.resonategrpc.v1.TaskAcquireResponse> getTaskAcquireMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskAcquireRequest, io.github.resonategrpc.v1.TaskAcquireResponse> getTaskAcquireMethod;
    if ((getTaskAcquireMethod = TaskServiceGrpc.getTaskAcquireMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskAcquireMethod = TaskServiceGrpc.getTaskAcquireMethod) == null) {
          TaskServiceGrpc.getTaskAcquireMethod = getTaskAcquireMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskAcquireRequest, io.github.resonategrpc.v1.TaskAcquireResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskAcquire"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskAcquireRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskAcquireResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskAcquire"))
              .build();
        }
      }
    }
    return getTaskAcquireMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskFenceRequest,
      io.github.resonategrpc.v1.TaskFenceResponse> getTaskFenceMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskFence",
      requestType = io.github.resonategrpc.v1.TaskFenceRequest.class,
      responseType = io.github.resonategrpc.v1.TaskFenceResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskFenceRequest,
      io.github.resonategrpc.v1.TaskFenceResponse> getTaskFenceMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskFenceRequest, io.github.resonategrpc.v1.TaskFenceResponse> getTaskFenceMethod;
    if ((getTaskFenceMethod = TaskServiceGrpc.getTaskFenceMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskFenceMethod = TaskServiceGrpc.getTaskFenceMethod) == null) {
          TaskServiceGrpc.getTaskFenceMethod = getTaskFenceMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskFenceRequest, io.github.resonategrpc.v1.TaskFenceResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskFence"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskFenceRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskFenceResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskFence"))
              .build();
        }
      }
    }
    return getTaskFenceMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskHeartbeatRequest,
      io.github.resonategrpc.v1.TaskHeartbeatResponse> getTaskHeartbeatMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskHeartbeat",
      requestType = io.github.resonategrpc.v1.TaskHeartbeatRequest.class,
      responseType = io.github.resonategrpc.v1.TaskHeartbeatResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskHeartbeatRequest,
      io.github.resonategrpc.v1.TaskHeartbeatResponse> getTaskHeartbeatMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskHeartbeatRequest, io.github.resonategrpc.v1.TaskHeartbeatResponse> getTaskHeartbeatMethod;
    if ((getTaskHeartbeatMethod = TaskServiceGrpc.getTaskHeartbeatMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskHeartbeatMethod = TaskServiceGrpc.getTaskHeartbeatMethod) == null) {
          TaskServiceGrpc.getTaskHeartbeatMethod = getTaskHeartbeatMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskHeartbeatRequest, io.github.resonategrpc.v1.TaskHeartbeatResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskHeartbeat"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskHeartbeatRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskHeartbeatResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskHeartbeat"))
              .build();
        }
      }
    }
    return getTaskHeartbeatMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskSuspendRequest,
      io.github.resonategrpc.v1.TaskSuspendResponse> getTaskSuspendMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskSuspend",
      requestType = io.github.resonategrpc.v1.TaskSuspendRequest.class,
      responseType = io.github.resonategrpc.v1.TaskSuspendResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskSuspendRequest,
      io.github.resonategrpc.v1.TaskSuspendResponse> getTaskSuspendMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskSuspendRequest, io.github.resonategrpc.v1.TaskSuspendResponse> getTaskSuspendMethod;
    if ((getTaskSuspendMethod = TaskServiceGrpc.getTaskSuspendMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskSuspendMethod = TaskServiceGrpc.getTaskSuspendMethod) == null) {
          TaskServiceGrpc.getTaskSuspendMethod = getTaskSuspendMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskSuspendRequest, io.github.resonategrpc.v1.TaskSuspendResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskSuspend"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskSuspendRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskSuspendResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskSuspend"))
              .build();
        }
      }
    }
    return getTaskSuspendMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskFulfillRequest,
      io.github.resonategrpc.v1.TaskFulfillResponse> getTaskFulfillMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskFulfill",
      requestType = io.github.resonategrpc.v1.TaskFulfillRequest.class,
      responseType = io.github.resonategrpc.v1.TaskFulfillResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskFulfillRequest,
      io.github.resonategrpc.v1.TaskFulfillResponse> getTaskFulfillMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskFulfillRequest, io.github.resonategrpc.v1.TaskFulfillResponse> getTaskFulfillMethod;
    if ((getTaskFulfillMethod = TaskServiceGrpc.getTaskFulfillMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskFulfillMethod = TaskServiceGrpc.getTaskFulfillMethod) == null) {
          TaskServiceGrpc.getTaskFulfillMethod = getTaskFulfillMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskFulfillRequest, io.github.resonategrpc.v1.TaskFulfillResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskFulfill"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskFulfillRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskFulfillResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskFulfill"))
              .build();
        }
      }
    }
    return getTaskFulfillMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskReleaseRequest,
      io.github.resonategrpc.v1.TaskReleaseResponse> getTaskReleaseMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskRelease",
      requestType = io.github.resonategrpc.v1.TaskReleaseRequest.class,
      responseType = io.github.resonategrpc.v1.TaskReleaseResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskReleaseRequest,
      io.github.resonategrpc.v1.TaskReleaseResponse> getTaskReleaseMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskReleaseRequest, io.github.resonategrpc.v1.TaskReleaseResponse> getTaskReleaseMethod;
    if ((getTaskReleaseMethod = TaskServiceGrpc.getTaskReleaseMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskReleaseMethod = TaskServiceGrpc.getTaskReleaseMethod) == null) {
          TaskServiceGrpc.getTaskReleaseMethod = getTaskReleaseMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskReleaseRequest, io.github.resonategrpc.v1.TaskReleaseResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskRelease"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskReleaseRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskReleaseResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskRelease"))
              .build();
        }
      }
    }
    return getTaskReleaseMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskHaltRequest,
      io.github.resonategrpc.v1.TaskHaltResponse> getTaskHaltMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskHalt",
      requestType = io.github.resonategrpc.v1.TaskHaltRequest.class,
      responseType = io.github.resonategrpc.v1.TaskHaltResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskHaltRequest,
      io.github.resonategrpc.v1.TaskHaltResponse> getTaskHaltMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskHaltRequest, io.github.resonategrpc.v1.TaskHaltResponse> getTaskHaltMethod;
    if ((getTaskHaltMethod = TaskServiceGrpc.getTaskHaltMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskHaltMethod = TaskServiceGrpc.getTaskHaltMethod) == null) {
          TaskServiceGrpc.getTaskHaltMethod = getTaskHaltMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskHaltRequest, io.github.resonategrpc.v1.TaskHaltResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskHalt"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskHaltRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskHaltResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskHalt"))
              .build();
        }
      }
    }
    return getTaskHaltMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskContinueRequest,
      io.github.resonategrpc.v1.TaskContinueResponse> getTaskContinueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskContinue",
      requestType = io.github.resonategrpc.v1.TaskContinueRequest.class,
      responseType = io.github.resonategrpc.v1.TaskContinueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskContinueRequest,
      io.github.resonategrpc.v1.TaskContinueResponse> getTaskContinueMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskContinueRequest, io.github.resonategrpc.v1.TaskContinueResponse> getTaskContinueMethod;
    if ((getTaskContinueMethod = TaskServiceGrpc.getTaskContinueMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskContinueMethod = TaskServiceGrpc.getTaskContinueMethod) == null) {
          TaskServiceGrpc.getTaskContinueMethod = getTaskContinueMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskContinueRequest, io.github.resonategrpc.v1.TaskContinueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskContinue"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskContinueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskContinueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskContinue"))
              .build();
        }
      }
    }
    return getTaskContinueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskSearchRequest,
      io.github.resonategrpc.v1.TaskSearchResponse> getTaskSearchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "TaskSearch",
      requestType = io.github.resonategrpc.v1.TaskSearchRequest.class,
      responseType = io.github.resonategrpc.v1.TaskSearchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskSearchRequest,
      io.github.resonategrpc.v1.TaskSearchResponse> getTaskSearchMethod() {
    io.grpc.MethodDescriptor<io.github.resonategrpc.v1.TaskSearchRequest, io.github.resonategrpc.v1.TaskSearchResponse> getTaskSearchMethod;
    if ((getTaskSearchMethod = TaskServiceGrpc.getTaskSearchMethod) == null) {
      synchronized (TaskServiceGrpc.class) {
        if ((getTaskSearchMethod = TaskServiceGrpc.getTaskSearchMethod) == null) {
          TaskServiceGrpc.getTaskSearchMethod = getTaskSearchMethod =
              io.grpc.MethodDescriptor.<io.github.resonategrpc.v1.TaskSearchRequest, io.github.resonategrpc.v1.TaskSearchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "TaskSearch"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskSearchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.resonategrpc.v1.TaskSearchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TaskServiceMethodDescriptorSupplier("TaskSearch"))
              .build();
        }
      }
    }
    return getTaskSearchMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static TaskServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<TaskServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<TaskServiceStub>() {
        @java.lang.Override
        public TaskServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new TaskServiceStub(channel, callOptions);
        }
      };
    return TaskServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static TaskServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<TaskServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<TaskServiceBlockingV2Stub>() {
        @java.lang.Override
        public TaskServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new TaskServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return TaskServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static TaskServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<TaskServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<TaskServiceBlockingStub>() {
        @java.lang.Override
        public TaskServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new TaskServiceBlockingStub(channel, callOptions);
        }
      };
    return TaskServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static TaskServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<TaskServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<TaskServiceFutureStub>() {
        @java.lang.Override
        public TaskServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new TaskServiceFutureStub(channel, callOptions);
        }
      };
    return TaskServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * A task is the work that fulfils a promise. It has the promise's id. At any moment at most one worker holds it: the
   * one whose TaskAcquire or TaskCreate was given the current version. A holder names that version in every call; a worker
   * that lost its lease cannot write, whatever it believes.
   * The life of a task: `PENDING` (pushed to its target until somebody acquires it) → `ACQUIRED` (held under a lease of
   * `ttl_ms`, renewed by TaskHeartbeat) → `FULFILLED`; or `SUSPENDED` (waiting for other promises) → `PENDING` again. A lost
   * lease and TaskRelease lead back to `PENDING`; TaskHalt takes a task out of circulation until TaskContinue.
   * TaskFence, TaskSuspend, TaskFulfill and TaskRelease share their checks, in this order: the task exists, else NOT_FOUND
   * (TASK_NOT_FOUND); its promise exists, else ABORTED (PROMISE_MISSING); the task is acquired, else ABORTED
   * (TASK_NOT_ACQUIRED); the promise is live, else ABORTED (PROMISE_NOT_LIVE); the version is the current one, else ABORTED
   * (TASK_VERSION_MISMATCH). ABORTED means: stop working on it, unless the metadata shows that you are the holder.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * T-01 task.get: reads a task. If its promise is settled or past its deadline, the task is shown as `FULFILLED`.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND, then PROMISE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    default void taskGet(io.github.resonategrpc.v1.TaskGetRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskGetResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskGetMethod(), responseObserver);
    }

    /**
     * <pre>
     * T-02 task.create: creates a promise and its task, already acquired by the caller with version 1; or takes the pending
     * task of an existing promise. Needs no `resonate:target`; but a task without one is never pushed to anybody, so after a
     * lost lease only a TaskAcquire by somebody who knows its id reaches it.
     * Answers, in this order: OK for a new promise (with a `FULFILLED` task of version 0 if its deadline is not in the future);
     * FAILED_PRECONDITION (PROMISE_WITHOUT_TARGET) for an existing promise without a target; ABORTED (TASK_MISSING); OK for a
     * fulfilled task; OK with the task acquired if it was pending; ABORTED (TASK_NOT_PENDING). For a promise that exists the
     * other fields of `promise` are neither used nor compared. After a lost answer a retry is refused: for a targeted promise
     * the metadata shows whether the caller is the holder.
     * </pre>
     */
    default void taskCreate(io.github.resonategrpc.v1.TaskCreateRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskCreateResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskCreateMethod(), responseObserver);
    }

    /**
     * <pre>
     * T-03 task.acquire: takes a pending task. Its version grows by one and its lease ends `ttl_ms` from now.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (PROMISE_MISSING, TASK_NOT_PENDING, PROMISE_NOT_LIVE,
     * TASK_VERSION_MISMATCH); OK. After a lost answer a retry is refused with TASK_NOT_PENDING, whose metadata shows whether
     * the caller is the holder: `task_pid` is its own and `task_version` is the version of the request plus one.
     * </pre>
     */
    default void taskAcquire(io.github.resonategrpc.v1.TaskAcquireRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskAcquireResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskAcquireMethod(), responseObserver);
    }

    /**
     * <pre>
     * T-04 task.fence: creates or settles another promise (or the task's own), provided that the caller still holds the task.
     * Answers, in this order: the shared checks (see TaskService); OK with the inner outcome, which may itself be a refusal.
     * A retry is safe while the task is held.
     * </pre>
     */
    default void taskFence(io.github.resonategrpc.v1.TaskFenceRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskFenceResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskFenceMethod(), responseObserver);
    }

    /**
     * <pre>
     * T-05 task.heartbeat: renews the leases of the listed tasks, each for its own `ttl_ms` from now.
     * Always OK. An entry that the caller does not hold (another pid or version, not acquired, promise not live) is skipped
     * without a word: OK does not mean that every lease still stands. A retry is always safe.
     * </pre>
     */
    default void taskHeartbeat(io.github.resonategrpc.v1.TaskHeartbeatRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskHeartbeatResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskHeartbeatMethod(), responseObserver);
    }

    /**
     * <pre>
     * T-06 task.suspend: parks the task until one of the awaited promises settles; or answers `ready` if one of them is
     * settled already: then nothing is registered and the caller still holds the task, with its lease as it was.
     * Answers, in this order: the shared checks (see TaskService); FAILED_PRECONDITION (AWAITED_NOT_FOUND); OK with `ready`;
     * OK with `suspended`. After a lost answer a retry may be refused, or find the task with its next holder: the metadata
     * shows where it stands.
     * </pre>
     */
    default void taskSuspend(io.github.resonategrpc.v1.TaskSuspendRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskSuspendResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskSuspendMethod(), responseObserver);
    }

    /**
     * <pre>
     * T-07 task.fulfill: settles the task's promise, as PromiseSettle does.
     * Answers, in this order: the shared checks (see TaskService); OK. After a lost answer a retry is refused with
     * TASK_NOT_ACQUIRED; PromiseGet shows the outcome that stands.
     * </pre>
     */
    default void taskFulfill(io.github.resonategrpc.v1.TaskFulfillRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskFulfillResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskFulfillMethod(), responseObserver);
    }

    /**
     * <pre>
     * T-08 task.release: gives the task back. It is pushed to its target again at once.
     * Answers, in this order: the shared checks (see TaskService); OK. After a lost answer a retry is refused.
     * </pre>
     */
    default void taskRelease(io.github.resonategrpc.v1.TaskReleaseRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskReleaseResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskReleaseMethod(), responseObserver);
    }

    /**
     * <pre>
     * T-09 task.halt: takes the task out of circulation, whoever holds it. For operators. A wake-up that arrives meanwhile
     * is kept.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (TASK_FULFILLED); OK. A retry is always safe.
     * </pre>
     */
    default void taskHalt(io.github.resonategrpc.v1.TaskHaltRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskHaltResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskHaltMethod(), responseObserver);
    }

    /**
     * <pre>
     * T-10 task.continue: puts a halted task back into circulation. It is pushed to its target at once.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (TASK_NOT_HALTED); NOT_FOUND (PROMISE_NOT_FOUND); OK. After a
     * lost answer a retry is refused with TASK_NOT_HALTED.
     * </pre>
     */
    default void taskContinue(io.github.resonategrpc.v1.TaskContinueRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskContinueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskContinueMethod(), responseObserver);
    }

    /**
     * <pre>
     * T-11 task.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    default void taskSearch(io.github.resonategrpc.v1.TaskSearchRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskSearchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getTaskSearchMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service TaskService.
   * <pre>
   * A task is the work that fulfils a promise. It has the promise's id. At any moment at most one worker holds it: the
   * one whose TaskAcquire or TaskCreate was given the current version. A holder names that version in every call; a worker
   * that lost its lease cannot write, whatever it believes.
   * The life of a task: `PENDING` (pushed to its target until somebody acquires it) → `ACQUIRED` (held under a lease of
   * `ttl_ms`, renewed by TaskHeartbeat) → `FULFILLED`; or `SUSPENDED` (waiting for other promises) → `PENDING` again. A lost
   * lease and TaskRelease lead back to `PENDING`; TaskHalt takes a task out of circulation until TaskContinue.
   * TaskFence, TaskSuspend, TaskFulfill and TaskRelease share their checks, in this order: the task exists, else NOT_FOUND
   * (TASK_NOT_FOUND); its promise exists, else ABORTED (PROMISE_MISSING); the task is acquired, else ABORTED
   * (TASK_NOT_ACQUIRED); the promise is live, else ABORTED (PROMISE_NOT_LIVE); the version is the current one, else ABORTED
   * (TASK_VERSION_MISMATCH). ABORTED means: stop working on it, unless the metadata shows that you are the holder.
   * </pre>
   */
  public static abstract class TaskServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return TaskServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service TaskService.
   * <pre>
   * A task is the work that fulfils a promise. It has the promise's id. At any moment at most one worker holds it: the
   * one whose TaskAcquire or TaskCreate was given the current version. A holder names that version in every call; a worker
   * that lost its lease cannot write, whatever it believes.
   * The life of a task: `PENDING` (pushed to its target until somebody acquires it) → `ACQUIRED` (held under a lease of
   * `ttl_ms`, renewed by TaskHeartbeat) → `FULFILLED`; or `SUSPENDED` (waiting for other promises) → `PENDING` again. A lost
   * lease and TaskRelease lead back to `PENDING`; TaskHalt takes a task out of circulation until TaskContinue.
   * TaskFence, TaskSuspend, TaskFulfill and TaskRelease share their checks, in this order: the task exists, else NOT_FOUND
   * (TASK_NOT_FOUND); its promise exists, else ABORTED (PROMISE_MISSING); the task is acquired, else ABORTED
   * (TASK_NOT_ACQUIRED); the promise is live, else ABORTED (PROMISE_NOT_LIVE); the version is the current one, else ABORTED
   * (TASK_VERSION_MISMATCH). ABORTED means: stop working on it, unless the metadata shows that you are the holder.
   * </pre>
   */
  public static final class TaskServiceStub
      extends io.grpc.stub.AbstractAsyncStub<TaskServiceStub> {
    private TaskServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected TaskServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new TaskServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * T-01 task.get: reads a task. If its promise is settled or past its deadline, the task is shown as `FULFILLED`.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND, then PROMISE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public void taskGet(io.github.resonategrpc.v1.TaskGetRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskGetResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskGetMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * T-02 task.create: creates a promise and its task, already acquired by the caller with version 1; or takes the pending
     * task of an existing promise. Needs no `resonate:target`; but a task without one is never pushed to anybody, so after a
     * lost lease only a TaskAcquire by somebody who knows its id reaches it.
     * Answers, in this order: OK for a new promise (with a `FULFILLED` task of version 0 if its deadline is not in the future);
     * FAILED_PRECONDITION (PROMISE_WITHOUT_TARGET) for an existing promise without a target; ABORTED (TASK_MISSING); OK for a
     * fulfilled task; OK with the task acquired if it was pending; ABORTED (TASK_NOT_PENDING). For a promise that exists the
     * other fields of `promise` are neither used nor compared. After a lost answer a retry is refused: for a targeted promise
     * the metadata shows whether the caller is the holder.
     * </pre>
     */
    public void taskCreate(io.github.resonategrpc.v1.TaskCreateRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskCreateResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskCreateMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * T-03 task.acquire: takes a pending task. Its version grows by one and its lease ends `ttl_ms` from now.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (PROMISE_MISSING, TASK_NOT_PENDING, PROMISE_NOT_LIVE,
     * TASK_VERSION_MISMATCH); OK. After a lost answer a retry is refused with TASK_NOT_PENDING, whose metadata shows whether
     * the caller is the holder: `task_pid` is its own and `task_version` is the version of the request plus one.
     * </pre>
     */
    public void taskAcquire(io.github.resonategrpc.v1.TaskAcquireRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskAcquireResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskAcquireMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * T-04 task.fence: creates or settles another promise (or the task's own), provided that the caller still holds the task.
     * Answers, in this order: the shared checks (see TaskService); OK with the inner outcome, which may itself be a refusal.
     * A retry is safe while the task is held.
     * </pre>
     */
    public void taskFence(io.github.resonategrpc.v1.TaskFenceRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskFenceResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskFenceMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * T-05 task.heartbeat: renews the leases of the listed tasks, each for its own `ttl_ms` from now.
     * Always OK. An entry that the caller does not hold (another pid or version, not acquired, promise not live) is skipped
     * without a word: OK does not mean that every lease still stands. A retry is always safe.
     * </pre>
     */
    public void taskHeartbeat(io.github.resonategrpc.v1.TaskHeartbeatRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskHeartbeatResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskHeartbeatMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * T-06 task.suspend: parks the task until one of the awaited promises settles; or answers `ready` if one of them is
     * settled already: then nothing is registered and the caller still holds the task, with its lease as it was.
     * Answers, in this order: the shared checks (see TaskService); FAILED_PRECONDITION (AWAITED_NOT_FOUND); OK with `ready`;
     * OK with `suspended`. After a lost answer a retry may be refused, or find the task with its next holder: the metadata
     * shows where it stands.
     * </pre>
     */
    public void taskSuspend(io.github.resonategrpc.v1.TaskSuspendRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskSuspendResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskSuspendMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * T-07 task.fulfill: settles the task's promise, as PromiseSettle does.
     * Answers, in this order: the shared checks (see TaskService); OK. After a lost answer a retry is refused with
     * TASK_NOT_ACQUIRED; PromiseGet shows the outcome that stands.
     * </pre>
     */
    public void taskFulfill(io.github.resonategrpc.v1.TaskFulfillRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskFulfillResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskFulfillMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * T-08 task.release: gives the task back. It is pushed to its target again at once.
     * Answers, in this order: the shared checks (see TaskService); OK. After a lost answer a retry is refused.
     * </pre>
     */
    public void taskRelease(io.github.resonategrpc.v1.TaskReleaseRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskReleaseResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskReleaseMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * T-09 task.halt: takes the task out of circulation, whoever holds it. For operators. A wake-up that arrives meanwhile
     * is kept.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (TASK_FULFILLED); OK. A retry is always safe.
     * </pre>
     */
    public void taskHalt(io.github.resonategrpc.v1.TaskHaltRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskHaltResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskHaltMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * T-10 task.continue: puts a halted task back into circulation. It is pushed to its target at once.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (TASK_NOT_HALTED); NOT_FOUND (PROMISE_NOT_FOUND); OK. After a
     * lost answer a retry is refused with TASK_NOT_HALTED.
     * </pre>
     */
    public void taskContinue(io.github.resonategrpc.v1.TaskContinueRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskContinueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskContinueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * T-11 task.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public void taskSearch(io.github.resonategrpc.v1.TaskSearchRequest request,
        io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskSearchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getTaskSearchMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service TaskService.
   * <pre>
   * A task is the work that fulfils a promise. It has the promise's id. At any moment at most one worker holds it: the
   * one whose TaskAcquire or TaskCreate was given the current version. A holder names that version in every call; a worker
   * that lost its lease cannot write, whatever it believes.
   * The life of a task: `PENDING` (pushed to its target until somebody acquires it) → `ACQUIRED` (held under a lease of
   * `ttl_ms`, renewed by TaskHeartbeat) → `FULFILLED`; or `SUSPENDED` (waiting for other promises) → `PENDING` again. A lost
   * lease and TaskRelease lead back to `PENDING`; TaskHalt takes a task out of circulation until TaskContinue.
   * TaskFence, TaskSuspend, TaskFulfill and TaskRelease share their checks, in this order: the task exists, else NOT_FOUND
   * (TASK_NOT_FOUND); its promise exists, else ABORTED (PROMISE_MISSING); the task is acquired, else ABORTED
   * (TASK_NOT_ACQUIRED); the promise is live, else ABORTED (PROMISE_NOT_LIVE); the version is the current one, else ABORTED
   * (TASK_VERSION_MISMATCH). ABORTED means: stop working on it, unless the metadata shows that you are the holder.
   * </pre>
   */
  public static final class TaskServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<TaskServiceBlockingV2Stub> {
    private TaskServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected TaskServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new TaskServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * T-01 task.get: reads a task. If its promise is settled or past its deadline, the task is shown as `FULFILLED`.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND, then PROMISE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskGetResponse taskGet(io.github.resonategrpc.v1.TaskGetRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskGetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-02 task.create: creates a promise and its task, already acquired by the caller with version 1; or takes the pending
     * task of an existing promise. Needs no `resonate:target`; but a task without one is never pushed to anybody, so after a
     * lost lease only a TaskAcquire by somebody who knows its id reaches it.
     * Answers, in this order: OK for a new promise (with a `FULFILLED` task of version 0 if its deadline is not in the future);
     * FAILED_PRECONDITION (PROMISE_WITHOUT_TARGET) for an existing promise without a target; ABORTED (TASK_MISSING); OK for a
     * fulfilled task; OK with the task acquired if it was pending; ABORTED (TASK_NOT_PENDING). For a promise that exists the
     * other fields of `promise` are neither used nor compared. After a lost answer a retry is refused: for a targeted promise
     * the metadata shows whether the caller is the holder.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskCreateResponse taskCreate(io.github.resonategrpc.v1.TaskCreateRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskCreateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-03 task.acquire: takes a pending task. Its version grows by one and its lease ends `ttl_ms` from now.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (PROMISE_MISSING, TASK_NOT_PENDING, PROMISE_NOT_LIVE,
     * TASK_VERSION_MISMATCH); OK. After a lost answer a retry is refused with TASK_NOT_PENDING, whose metadata shows whether
     * the caller is the holder: `task_pid` is its own and `task_version` is the version of the request plus one.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskAcquireResponse taskAcquire(io.github.resonategrpc.v1.TaskAcquireRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskAcquireMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-04 task.fence: creates or settles another promise (or the task's own), provided that the caller still holds the task.
     * Answers, in this order: the shared checks (see TaskService); OK with the inner outcome, which may itself be a refusal.
     * A retry is safe while the task is held.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskFenceResponse taskFence(io.github.resonategrpc.v1.TaskFenceRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskFenceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-05 task.heartbeat: renews the leases of the listed tasks, each for its own `ttl_ms` from now.
     * Always OK. An entry that the caller does not hold (another pid or version, not acquired, promise not live) is skipped
     * without a word: OK does not mean that every lease still stands. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskHeartbeatResponse taskHeartbeat(io.github.resonategrpc.v1.TaskHeartbeatRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskHeartbeatMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-06 task.suspend: parks the task until one of the awaited promises settles; or answers `ready` if one of them is
     * settled already: then nothing is registered and the caller still holds the task, with its lease as it was.
     * Answers, in this order: the shared checks (see TaskService); FAILED_PRECONDITION (AWAITED_NOT_FOUND); OK with `ready`;
     * OK with `suspended`. After a lost answer a retry may be refused, or find the task with its next holder: the metadata
     * shows where it stands.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskSuspendResponse taskSuspend(io.github.resonategrpc.v1.TaskSuspendRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskSuspendMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-07 task.fulfill: settles the task's promise, as PromiseSettle does.
     * Answers, in this order: the shared checks (see TaskService); OK. After a lost answer a retry is refused with
     * TASK_NOT_ACQUIRED; PromiseGet shows the outcome that stands.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskFulfillResponse taskFulfill(io.github.resonategrpc.v1.TaskFulfillRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskFulfillMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-08 task.release: gives the task back. It is pushed to its target again at once.
     * Answers, in this order: the shared checks (see TaskService); OK. After a lost answer a retry is refused.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskReleaseResponse taskRelease(io.github.resonategrpc.v1.TaskReleaseRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskReleaseMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-09 task.halt: takes the task out of circulation, whoever holds it. For operators. A wake-up that arrives meanwhile
     * is kept.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (TASK_FULFILLED); OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskHaltResponse taskHalt(io.github.resonategrpc.v1.TaskHaltRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskHaltMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-10 task.continue: puts a halted task back into circulation. It is pushed to its target at once.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (TASK_NOT_HALTED); NOT_FOUND (PROMISE_NOT_FOUND); OK. After a
     * lost answer a retry is refused with TASK_NOT_HALTED.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskContinueResponse taskContinue(io.github.resonategrpc.v1.TaskContinueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskContinueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-11 task.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskSearchResponse taskSearch(io.github.resonategrpc.v1.TaskSearchRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getTaskSearchMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service TaskService.
   * <pre>
   * A task is the work that fulfils a promise. It has the promise's id. At any moment at most one worker holds it: the
   * one whose TaskAcquire or TaskCreate was given the current version. A holder names that version in every call; a worker
   * that lost its lease cannot write, whatever it believes.
   * The life of a task: `PENDING` (pushed to its target until somebody acquires it) → `ACQUIRED` (held under a lease of
   * `ttl_ms`, renewed by TaskHeartbeat) → `FULFILLED`; or `SUSPENDED` (waiting for other promises) → `PENDING` again. A lost
   * lease and TaskRelease lead back to `PENDING`; TaskHalt takes a task out of circulation until TaskContinue.
   * TaskFence, TaskSuspend, TaskFulfill and TaskRelease share their checks, in this order: the task exists, else NOT_FOUND
   * (TASK_NOT_FOUND); its promise exists, else ABORTED (PROMISE_MISSING); the task is acquired, else ABORTED
   * (TASK_NOT_ACQUIRED); the promise is live, else ABORTED (PROMISE_NOT_LIVE); the version is the current one, else ABORTED
   * (TASK_VERSION_MISMATCH). ABORTED means: stop working on it, unless the metadata shows that you are the holder.
   * </pre>
   */
  public static final class TaskServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<TaskServiceBlockingStub> {
    private TaskServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected TaskServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new TaskServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * T-01 task.get: reads a task. If its promise is settled or past its deadline, the task is shown as `FULFILLED`.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND, then PROMISE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskGetResponse taskGet(io.github.resonategrpc.v1.TaskGetRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskGetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-02 task.create: creates a promise and its task, already acquired by the caller with version 1; or takes the pending
     * task of an existing promise. Needs no `resonate:target`; but a task without one is never pushed to anybody, so after a
     * lost lease only a TaskAcquire by somebody who knows its id reaches it.
     * Answers, in this order: OK for a new promise (with a `FULFILLED` task of version 0 if its deadline is not in the future);
     * FAILED_PRECONDITION (PROMISE_WITHOUT_TARGET) for an existing promise without a target; ABORTED (TASK_MISSING); OK for a
     * fulfilled task; OK with the task acquired if it was pending; ABORTED (TASK_NOT_PENDING). For a promise that exists the
     * other fields of `promise` are neither used nor compared. After a lost answer a retry is refused: for a targeted promise
     * the metadata shows whether the caller is the holder.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskCreateResponse taskCreate(io.github.resonategrpc.v1.TaskCreateRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskCreateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-03 task.acquire: takes a pending task. Its version grows by one and its lease ends `ttl_ms` from now.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (PROMISE_MISSING, TASK_NOT_PENDING, PROMISE_NOT_LIVE,
     * TASK_VERSION_MISMATCH); OK. After a lost answer a retry is refused with TASK_NOT_PENDING, whose metadata shows whether
     * the caller is the holder: `task_pid` is its own and `task_version` is the version of the request plus one.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskAcquireResponse taskAcquire(io.github.resonategrpc.v1.TaskAcquireRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskAcquireMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-04 task.fence: creates or settles another promise (or the task's own), provided that the caller still holds the task.
     * Answers, in this order: the shared checks (see TaskService); OK with the inner outcome, which may itself be a refusal.
     * A retry is safe while the task is held.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskFenceResponse taskFence(io.github.resonategrpc.v1.TaskFenceRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskFenceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-05 task.heartbeat: renews the leases of the listed tasks, each for its own `ttl_ms` from now.
     * Always OK. An entry that the caller does not hold (another pid or version, not acquired, promise not live) is skipped
     * without a word: OK does not mean that every lease still stands. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskHeartbeatResponse taskHeartbeat(io.github.resonategrpc.v1.TaskHeartbeatRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskHeartbeatMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-06 task.suspend: parks the task until one of the awaited promises settles; or answers `ready` if one of them is
     * settled already: then nothing is registered and the caller still holds the task, with its lease as it was.
     * Answers, in this order: the shared checks (see TaskService); FAILED_PRECONDITION (AWAITED_NOT_FOUND); OK with `ready`;
     * OK with `suspended`. After a lost answer a retry may be refused, or find the task with its next holder: the metadata
     * shows where it stands.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskSuspendResponse taskSuspend(io.github.resonategrpc.v1.TaskSuspendRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskSuspendMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-07 task.fulfill: settles the task's promise, as PromiseSettle does.
     * Answers, in this order: the shared checks (see TaskService); OK. After a lost answer a retry is refused with
     * TASK_NOT_ACQUIRED; PromiseGet shows the outcome that stands.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskFulfillResponse taskFulfill(io.github.resonategrpc.v1.TaskFulfillRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskFulfillMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-08 task.release: gives the task back. It is pushed to its target again at once.
     * Answers, in this order: the shared checks (see TaskService); OK. After a lost answer a retry is refused.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskReleaseResponse taskRelease(io.github.resonategrpc.v1.TaskReleaseRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskReleaseMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-09 task.halt: takes the task out of circulation, whoever holds it. For operators. A wake-up that arrives meanwhile
     * is kept.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (TASK_FULFILLED); OK. A retry is always safe.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskHaltResponse taskHalt(io.github.resonategrpc.v1.TaskHaltRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskHaltMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-10 task.continue: puts a halted task back into circulation. It is pushed to its target at once.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (TASK_NOT_HALTED); NOT_FOUND (PROMISE_NOT_FOUND); OK. After a
     * lost answer a retry is refused with TASK_NOT_HALTED.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskContinueResponse taskContinue(io.github.resonategrpc.v1.TaskContinueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskContinueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * T-11 task.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public io.github.resonategrpc.v1.TaskSearchResponse taskSearch(io.github.resonategrpc.v1.TaskSearchRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getTaskSearchMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service TaskService.
   * <pre>
   * A task is the work that fulfils a promise. It has the promise's id. At any moment at most one worker holds it: the
   * one whose TaskAcquire or TaskCreate was given the current version. A holder names that version in every call; a worker
   * that lost its lease cannot write, whatever it believes.
   * The life of a task: `PENDING` (pushed to its target until somebody acquires it) → `ACQUIRED` (held under a lease of
   * `ttl_ms`, renewed by TaskHeartbeat) → `FULFILLED`; or `SUSPENDED` (waiting for other promises) → `PENDING` again. A lost
   * lease and TaskRelease lead back to `PENDING`; TaskHalt takes a task out of circulation until TaskContinue.
   * TaskFence, TaskSuspend, TaskFulfill and TaskRelease share their checks, in this order: the task exists, else NOT_FOUND
   * (TASK_NOT_FOUND); its promise exists, else ABORTED (PROMISE_MISSING); the task is acquired, else ABORTED
   * (TASK_NOT_ACQUIRED); the promise is live, else ABORTED (PROMISE_NOT_LIVE); the version is the current one, else ABORTED
   * (TASK_VERSION_MISMATCH). ABORTED means: stop working on it, unless the metadata shows that you are the holder.
   * </pre>
   */
  public static final class TaskServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<TaskServiceFutureStub> {
    private TaskServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected TaskServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new TaskServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * T-01 task.get: reads a task. If its promise is settled or past its deadline, the task is shown as `FULFILLED`.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND, then PROMISE_NOT_FOUND); OK. A retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskGetResponse> taskGet(
        io.github.resonategrpc.v1.TaskGetRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskGetMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * T-02 task.create: creates a promise and its task, already acquired by the caller with version 1; or takes the pending
     * task of an existing promise. Needs no `resonate:target`; but a task without one is never pushed to anybody, so after a
     * lost lease only a TaskAcquire by somebody who knows its id reaches it.
     * Answers, in this order: OK for a new promise (with a `FULFILLED` task of version 0 if its deadline is not in the future);
     * FAILED_PRECONDITION (PROMISE_WITHOUT_TARGET) for an existing promise without a target; ABORTED (TASK_MISSING); OK for a
     * fulfilled task; OK with the task acquired if it was pending; ABORTED (TASK_NOT_PENDING). For a promise that exists the
     * other fields of `promise` are neither used nor compared. After a lost answer a retry is refused: for a targeted promise
     * the metadata shows whether the caller is the holder.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskCreateResponse> taskCreate(
        io.github.resonategrpc.v1.TaskCreateRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskCreateMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * T-03 task.acquire: takes a pending task. Its version grows by one and its lease ends `ttl_ms` from now.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (PROMISE_MISSING, TASK_NOT_PENDING, PROMISE_NOT_LIVE,
     * TASK_VERSION_MISMATCH); OK. After a lost answer a retry is refused with TASK_NOT_PENDING, whose metadata shows whether
     * the caller is the holder: `task_pid` is its own and `task_version` is the version of the request plus one.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskAcquireResponse> taskAcquire(
        io.github.resonategrpc.v1.TaskAcquireRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskAcquireMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * T-04 task.fence: creates or settles another promise (or the task's own), provided that the caller still holds the task.
     * Answers, in this order: the shared checks (see TaskService); OK with the inner outcome, which may itself be a refusal.
     * A retry is safe while the task is held.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskFenceResponse> taskFence(
        io.github.resonategrpc.v1.TaskFenceRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskFenceMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * T-05 task.heartbeat: renews the leases of the listed tasks, each for its own `ttl_ms` from now.
     * Always OK. An entry that the caller does not hold (another pid or version, not acquired, promise not live) is skipped
     * without a word: OK does not mean that every lease still stands. A retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskHeartbeatResponse> taskHeartbeat(
        io.github.resonategrpc.v1.TaskHeartbeatRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskHeartbeatMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * T-06 task.suspend: parks the task until one of the awaited promises settles; or answers `ready` if one of them is
     * settled already: then nothing is registered and the caller still holds the task, with its lease as it was.
     * Answers, in this order: the shared checks (see TaskService); FAILED_PRECONDITION (AWAITED_NOT_FOUND); OK with `ready`;
     * OK with `suspended`. After a lost answer a retry may be refused, or find the task with its next holder: the metadata
     * shows where it stands.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskSuspendResponse> taskSuspend(
        io.github.resonategrpc.v1.TaskSuspendRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskSuspendMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * T-07 task.fulfill: settles the task's promise, as PromiseSettle does.
     * Answers, in this order: the shared checks (see TaskService); OK. After a lost answer a retry is refused with
     * TASK_NOT_ACQUIRED; PromiseGet shows the outcome that stands.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskFulfillResponse> taskFulfill(
        io.github.resonategrpc.v1.TaskFulfillRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskFulfillMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * T-08 task.release: gives the task back. It is pushed to its target again at once.
     * Answers, in this order: the shared checks (see TaskService); OK. After a lost answer a retry is refused.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskReleaseResponse> taskRelease(
        io.github.resonategrpc.v1.TaskReleaseRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskReleaseMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * T-09 task.halt: takes the task out of circulation, whoever holds it. For operators. A wake-up that arrives meanwhile
     * is kept.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (TASK_FULFILLED); OK. A retry is always safe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskHaltResponse> taskHalt(
        io.github.resonategrpc.v1.TaskHaltRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskHaltMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * T-10 task.continue: puts a halted task back into circulation. It is pushed to its target at once.
     * Answers, in this order: NOT_FOUND (TASK_NOT_FOUND); ABORTED (TASK_NOT_HALTED); NOT_FOUND (PROMISE_NOT_FOUND); OK. After a
     * lost answer a retry is refused with TASK_NOT_HALTED.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskContinueResponse> taskContinue(
        io.github.resonategrpc.v1.TaskContinueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskContinueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * T-11 task.search: always UNIMPLEMENTED (NOT_IMPLEMENTED); the protocol does not specify it yet.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.resonategrpc.v1.TaskSearchResponse> taskSearch(
        io.github.resonategrpc.v1.TaskSearchRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getTaskSearchMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_TASK_GET = 0;
  private static final int METHODID_TASK_CREATE = 1;
  private static final int METHODID_TASK_ACQUIRE = 2;
  private static final int METHODID_TASK_FENCE = 3;
  private static final int METHODID_TASK_HEARTBEAT = 4;
  private static final int METHODID_TASK_SUSPEND = 5;
  private static final int METHODID_TASK_FULFILL = 6;
  private static final int METHODID_TASK_RELEASE = 7;
  private static final int METHODID_TASK_HALT = 8;
  private static final int METHODID_TASK_CONTINUE = 9;
  private static final int METHODID_TASK_SEARCH = 10;

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
        case METHODID_TASK_GET:
          serviceImpl.taskGet((io.github.resonategrpc.v1.TaskGetRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskGetResponse>) responseObserver);
          break;
        case METHODID_TASK_CREATE:
          serviceImpl.taskCreate((io.github.resonategrpc.v1.TaskCreateRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskCreateResponse>) responseObserver);
          break;
        case METHODID_TASK_ACQUIRE:
          serviceImpl.taskAcquire((io.github.resonategrpc.v1.TaskAcquireRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskAcquireResponse>) responseObserver);
          break;
        case METHODID_TASK_FENCE:
          serviceImpl.taskFence((io.github.resonategrpc.v1.TaskFenceRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskFenceResponse>) responseObserver);
          break;
        case METHODID_TASK_HEARTBEAT:
          serviceImpl.taskHeartbeat((io.github.resonategrpc.v1.TaskHeartbeatRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskHeartbeatResponse>) responseObserver);
          break;
        case METHODID_TASK_SUSPEND:
          serviceImpl.taskSuspend((io.github.resonategrpc.v1.TaskSuspendRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskSuspendResponse>) responseObserver);
          break;
        case METHODID_TASK_FULFILL:
          serviceImpl.taskFulfill((io.github.resonategrpc.v1.TaskFulfillRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskFulfillResponse>) responseObserver);
          break;
        case METHODID_TASK_RELEASE:
          serviceImpl.taskRelease((io.github.resonategrpc.v1.TaskReleaseRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskReleaseResponse>) responseObserver);
          break;
        case METHODID_TASK_HALT:
          serviceImpl.taskHalt((io.github.resonategrpc.v1.TaskHaltRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskHaltResponse>) responseObserver);
          break;
        case METHODID_TASK_CONTINUE:
          serviceImpl.taskContinue((io.github.resonategrpc.v1.TaskContinueRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskContinueResponse>) responseObserver);
          break;
        case METHODID_TASK_SEARCH:
          serviceImpl.taskSearch((io.github.resonategrpc.v1.TaskSearchRequest) request,
              (io.grpc.stub.StreamObserver<io.github.resonategrpc.v1.TaskSearchResponse>) responseObserver);
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
          getTaskGetMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskGetRequest,
              io.github.resonategrpc.v1.TaskGetResponse>(
                service, METHODID_TASK_GET)))
        .addMethod(
          getTaskCreateMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskCreateRequest,
              io.github.resonategrpc.v1.TaskCreateResponse>(
                service, METHODID_TASK_CREATE)))
        .addMethod(
          getTaskAcquireMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskAcquireRequest,
              io.github.resonategrpc.v1.TaskAcquireResponse>(
                service, METHODID_TASK_ACQUIRE)))
        .addMethod(
          getTaskFenceMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskFenceRequest,
              io.github.resonategrpc.v1.TaskFenceResponse>(
                service, METHODID_TASK_FENCE)))
        .addMethod(
          getTaskHeartbeatMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskHeartbeatRequest,
              io.github.resonategrpc.v1.TaskHeartbeatResponse>(
                service, METHODID_TASK_HEARTBEAT)))
        .addMethod(
          getTaskSuspendMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskSuspendRequest,
              io.github.resonategrpc.v1.TaskSuspendResponse>(
                service, METHODID_TASK_SUSPEND)))
        .addMethod(
          getTaskFulfillMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskFulfillRequest,
              io.github.resonategrpc.v1.TaskFulfillResponse>(
                service, METHODID_TASK_FULFILL)))
        .addMethod(
          getTaskReleaseMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskReleaseRequest,
              io.github.resonategrpc.v1.TaskReleaseResponse>(
                service, METHODID_TASK_RELEASE)))
        .addMethod(
          getTaskHaltMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskHaltRequest,
              io.github.resonategrpc.v1.TaskHaltResponse>(
                service, METHODID_TASK_HALT)))
        .addMethod(
          getTaskContinueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskContinueRequest,
              io.github.resonategrpc.v1.TaskContinueResponse>(
                service, METHODID_TASK_CONTINUE)))
        .addMethod(
          getTaskSearchMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.resonategrpc.v1.TaskSearchRequest,
              io.github.resonategrpc.v1.TaskSearchResponse>(
                service, METHODID_TASK_SEARCH)))
        .build();
  }

  private static abstract class TaskServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    TaskServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.resonategrpc.v1.TaskProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("TaskService");
    }
  }

  private static final class TaskServiceFileDescriptorSupplier
      extends TaskServiceBaseDescriptorSupplier {
    TaskServiceFileDescriptorSupplier() {}
  }

  private static final class TaskServiceMethodDescriptorSupplier
      extends TaskServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    TaskServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (TaskServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new TaskServiceFileDescriptorSupplier())
              .addMethod(getTaskGetMethod())
              .addMethod(getTaskCreateMethod())
              .addMethod(getTaskAcquireMethod())
              .addMethod(getTaskFenceMethod())
              .addMethod(getTaskHeartbeatMethod())
              .addMethod(getTaskSuspendMethod())
              .addMethod(getTaskFulfillMethod())
              .addMethod(getTaskReleaseMethod())
              .addMethod(getTaskHaltMethod())
              .addMethod(getTaskContinueMethod())
              .addMethod(getTaskSearchMethod())
              .build();
        }
      }
    }
    return result;
  }
}
