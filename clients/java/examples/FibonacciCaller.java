import io.github.resonategrpc.Promises;
import io.github.resonategrpc.ResonateClient;
import io.github.resonategrpc.UnblockListener;
import io.github.resonategrpc.Values;
import io.github.resonategrpc.Work;
import io.github.resonategrpc.v1.PromiseRecord;
import java.time.Duration;

/**
 * Has a Fibonacci number computed, and waits for it through an unblock. Called again, it finds the
 * same work.
 */
final class FibonacciCaller {
  public static void main(String[] arguments) {
    String n = arguments.length > 0 ? arguments[0] : "8";
    String id = "fibonacci-" + n;
    try (ResonateClient client = ResonateClient.connect("localhost:50051");
        UnblockListener listener = UnblockListener.open(client, "callers")) {
      client.create(
          Work.of(id).target("any@fibonacci").param(Values.json(n)).timeout(Duration.ofHours(1)));
      PromiseRecord promise = listener.listen(id).join();
      System.out.println(Values.text(Promises.unwrap(promise)));
    }
  }
}
