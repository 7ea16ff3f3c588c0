import io.github.resonategrpc.Promises;
import io.github.resonategrpc.Reject;
import io.github.resonategrpc.ResonateClient;
import io.github.resonategrpc.TaskContext;
import io.github.resonategrpc.Values;
import io.github.resonategrpc.Work;
import io.github.resonategrpc.Worker;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.Value;

/** Computes Fibonacci numbers, each as a task that waits for two others. */
final class FibonacciWorker {
  public static void main(String[] arguments) throws InterruptedException {
    try (ResonateClient client = ResonateClient.connect("localhost:50051");
        Worker worker = Worker.builder(client, "fibonacci", FibonacciWorker::fibonacci).start()) {
      worker.drainOnShutdown().await();
    }
  }

  private static Value fibonacci(TaskContext task) {
    int n = number(task.param());
    if (n < 2) {
      return Values.json(Integer.toString(n));
    }
    PromiseRecord left = task.create(smaller(task.id() + ".1", n - 1));
    PromiseRecord right = task.create(smaller(task.id() + ".2", n - 2));
    int sum =
        task.awaitAll(left, right).stream().mapToInt(each -> number(Promises.unwrap(each))).sum();
    return Values.json(Integer.toString(sum));
  }

  private static Work smaller(String id, int n) {
    return Work.of(id).target("any@fibonacci").param(Values.json(Integer.toString(n)));
  }

  private static int number(Value value) {
    try {
      return Integer.parseInt(Values.text(value));
    } catch (NumberFormatException e) {
      throw new Reject(Values.json("\"not a number\""));
    }
  }
}
