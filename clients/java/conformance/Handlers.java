import com.google.protobuf.ByteString;
import io.github.resonategrpc.Promises;
import io.github.resonategrpc.Reject;
import io.github.resonategrpc.TaskContext;
import io.github.resonategrpc.Values;
import io.github.resonategrpc.Work;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.Value;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** What the tag of a promise has its handler do: see test/conformance/README.md. */
final class Handlers {
  private static final String DO_TAG = "conformance:do";
  private static final long GO_INTERVAL_MS = 50;

  private final String pid;

  Handlers(String pid) {
    this.pid = pid;
  }

  Value handle(TaskContext task) throws Exception {
    String what = task.promise().getTagsOrDefault(DO_TAG, "");
    return switch (what) {
      case "echo" -> task.param();
      case "tags" -> tags(task);
      case "reject" -> throw new Reject(Values.text("no"));
      case "fail" -> fail(task);
      case "fan-out" -> fanOut(task);
      case "sleep" -> sleep(task);
      case "settle" -> settle(task);
      case "hold" -> hold(task);
      default -> throw new IllegalArgumentException("nothing to do for \"" + what + "\"");
    };
  }

  private static Value tags(TaskContext task) {
    return task.promise().getTagsMap().entrySet().stream()
        .sorted(
            Comparator.comparing(
                entry -> ByteString.copyFromUtf8(entry.getKey()),
                ByteString.unsignedLexicographicalComparator()))
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.collectingAndThen(Collectors.joining("\n"), Values::text));
  }

  private static Value fail(TaskContext task) throws Exception {
    if (task.version() == 1) {
      throw new Exception("the first attempt fails");
    }
    return Values.text("version " + task.version());
  }

  private static Value fanOut(TaskContext task) {
    List<PromiseRecord> children =
        Values.text(task.param())
            .lines()
            .map(line -> line.split(" "))
            .map(line -> Work.of(line[0]).target(line[1]).tag(DO_TAG, "echo").param(line[0]))
            .map(task::create)
            .toList();
    return task.awaitAll(children).stream()
        .map(child -> Values.text(child.getValue()))
        .collect(Collectors.collectingAndThen(Collectors.joining("\n"), Values::text));
  }

  private static Value sleep(TaskContext task) {
    long ms = Long.parseLong(Values.text(task.param()));
    task.sleep(task.id() + ".timer", Instant.ofEpochMilli(task.promise().getCreatedAtMs() + ms));
    return Values.text("slept");
  }

  private static Value settle(TaskContext task) {
    PromiseRecord settled = task.settle(Values.text(task.param()), Values.text(task.id()));
    return Values.text(Values.text(settled.getValue()));
  }

  private Value hold(TaskContext task) throws InterruptedException {
    while (!Promises.isSettled(task.get(task.id() + ".go"))) {
      Thread.sleep(GO_INTERVAL_MS);
    }
    return Values.text("held by " + pid);
  }
}
