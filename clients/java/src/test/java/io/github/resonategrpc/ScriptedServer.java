package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchServiceGrpc;
import io.github.resonategrpc.v1.PromiseServiceGrpc;
import io.github.resonategrpc.v1.ScheduleServiceGrpc;
import io.github.resonategrpc.v1.TaskServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server without a mind of its own: a test takes each call as it comes and says what it answers.
 */
final class ScriptedServer implements AutoCloseable {
  static final List<ServiceDescriptor> SERVICES =
      List.of(
          PromiseServiceGrpc.getServiceDescriptor(),
          TaskServiceGrpc.getServiceDescriptor(),
          ScheduleServiceGrpc.getServiceDescriptor(),
          DispatchServiceGrpc.getServiceDescriptor());

  private final String name = "scripted-" + UUID.randomUUID();
  private final Inbox<ScriptedStream> streams = new Inbox<>("stream");
  private final Map<String, Inbox<ScriptedCall<?, ?>>> calls = new ConcurrentHashMap<>();
  private Server server;

  /** One that listens within this process. */
  ScriptedServer() {
    start();
  }

  /** Listens, perhaps again. */
  void start() {
    server = listen(InProcessServerBuilder.forName(name));
  }

  /** Listens on a real port, too. */
  Server listenOn(ServerBuilder<?> builder) {
    return listen(builder);
  }

  /** Cuts every connection. */
  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A client of this server, to be closed. */
  ResonateClient client(Clock clock) {
    return new ResonateClient(InProcessChannelBuilder.forName(name).build(), clock);
  }

  /** The next call of this method. */
  @SuppressWarnings("unchecked")
  <Q, A> ScriptedCall<Q, A> next(MethodDescriptor<Q, A> method) {
    return (ScriptedCall<Q, A>) inbox(method).next();
  }

  /** The next call of this method with this request; others are passed over. */
  <Q, A> ScriptedCall<Q, A> next(MethodDescriptor<Q, A> method, Q request) {
    ScriptedCall<Q, A> call = next(method);
    while (!call.request.equals(request)) {
      call = next(method);
    }
    return call;
  }

  /** The next stream that is opened. */
  ScriptedStream nextStream() {
    return streams.next();
  }

  /** How many calls of this method have come and have not been taken. */
  int waiting(MethodDescriptor<?, ?> method) {
    return inbox(method).size();
  }

  private Server listen(ServerBuilder<?> builder) {
    SERVICES.forEach(service -> builder.addService(scripted(service)));
    try {
      return builder.build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServerServiceDefinition scripted(ServiceDescriptor service) {
    ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(service);
    service.getMethods().stream()
        .filter(method -> !method.equals(DispatchServiceGrpc.getDispatchMethod()))
        .forEach(method -> add(definition, method));
    if (service.getMethods().contains(DispatchServiceGrpc.getDispatchMethod())) {
      definition.addMethod(
          DispatchServiceGrpc.getDispatchMethod(),
          ServerCalls.asyncServerStreamingCall(
              (request, answer) ->
                  streams.put(new ScriptedStream(new ScriptedCall<>(request, answer)))));
    }
    return definition.build();
  }

  private <Q, A> void add(
      ServerServiceDefinition.Builder definition, MethodDescriptor<Q, A> method) {
    ServerCallHandler<Q, A> handler =
        ServerCalls.asyncUnaryCall(
            (request, answer) -> inbox(method).put(new ScriptedCall<>(request, answer)));
    definition.addMethod(method, handler);
  }

  private Inbox<ScriptedCall<?, ?>> inbox(MethodDescriptor<?, ?> method) {
    String key = method.getFullMethodName();
    return calls.computeIfAbsent(key, Inbox::new);
  }
}
