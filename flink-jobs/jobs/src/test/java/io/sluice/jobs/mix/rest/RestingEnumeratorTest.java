package io.sluice.jobs.mix.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who rests is found first, told to readers that ask, and woken. */
class RestingEnumeratorTest {
  private static final Topics TOPICS = Topics.standard();
  private static final RestingRun A = new RestingRun("a.1", "a", 41, 9, Set.of());
  private static final RestingRun B = new RestingRun("b.1", "b", 5, 0, Set.of());

  private final Found search = new Found();
  private final RestingRuns runs = new RestingRuns(TOPICS, search);
  private final Context context = new Context();
  private final Inner inner = new Inner();
  private final Set<String> known = new HashSet<>();

  private RestingEnumerator started() {
    RestingEnumerator enumerator = new RestingEnumerator(context, inner, runs, known);
    enumerator.start();
    context.runOnce();
    return enumerator;
  }

  private RestingEnumerator withReader() {
    RestingEnumerator enumerator = started();
    context.readers.put(0, new ReaderInfo(0, "here"));
    enumerator.addReader(0);
    enumerator.handleSourceEvent(0, new RestNews.Asked());
    return enumerator;
  }

  private static Collection<SourceEvent> told(RestingRun... resting) {
    return List.of(new RestNews.Told(List.of(resting), true));
  }

  @Test
  void whoRestsIsFoundBeforeTopicsAreLookedFor() {
    search.resting.put("a.1", A);
    RestingEnumerator enumerator = new RestingEnumerator(context, inner, runs, known);
    enumerator.start();
    assertThat(context.once).hasSize(1);
    assertThat(inner.startedAfter).isEqualTo(1);
    context.runOnce();
    assertThat(runs.isQuiet(TOPICS.control("a.1"))).isTrue();
    assertThat(runs.isQuiet(TOPICS.feedback("a"))).isTrue();
    assertThat(runs.isQuiet(TOPICS.control("b.1"))).isFalse();
  }

  @Test
  void topicsOfWhichReadersHaveSplitsAreLookedForAllTheSame() {
    search.resting.put("a.1", A);
    known.add(TOPICS.control("a.1"));
    withReader();
    assertThat(runs.isQuiet(TOPICS.control("a.1"))).isFalse();
    assertThat(runs.isQuiet(TOPICS.feedback("a"))).isTrue();
    assertThat(context.sent).containsExactlyElementsOf(told(A));
  }

  @Test
  void aReaderThatAsksTooEarlyIsToldLater() {
    search.resting.put("a.1", A);
    RestingEnumerator enumerator = new RestingEnumerator(context, inner, runs, known);
    enumerator.start();
    context.readers.put(0, new ReaderInfo(0, "here"));
    enumerator.addReader(0);
    enumerator.handleSourceEvent(0, new RestNews.Asked());
    assertThat(context.sent).isEmpty();
    context.runOnce();
    assertThat(context.sent).containsExactlyElementsOf(told(A));
  }

  @Test
  void whoCannotBeFoundIsRead() {
    search.away = true;
    withReader();
    assertThat(context.sent).containsExactlyElementsOf(told());
  }

  @Test
  void manyAreToldInPieces() {
    for (int i = 0; i < 1_001; i++) {
      String name = "r" + i;
      search.resting.put(name + ".1", new RestingRun(name + ".1", name, 1, 0, Set.of()));
    }
    withReader();
    assertThat(context.sent)
        .extracting(event -> ((RestNews.Told) event).runs().size())
        .containsExactly(1_000, 1);
    assertThat(context.sent)
        .extracting(event -> ((RestNews.Told) event).all())
        .containsExactly(false, true);
  }

  @Test
  void whoIsCalledIsWokenOnceAndLaterReadersAreNotTold() {
    search.resting.put("a.1", A);
    search.resting.put("b.1", B);
    RestingEnumerator enumerator = withReader();
    context.sent.clear();
    enumerator.handleSourceEvent(0, new RestNews.Called("a.1"));
    enumerator.handleSourceEvent(0, new RestNews.Called("a.1"));
    assertThat(context.sent).containsExactly(new RestNews.Woken(Set.of("a.1")));
    assertThat(runs.isQuiet(TOPICS.control("a.1"))).isFalse();
    assertThat(runs.isQuiet(TOPICS.control("b.1"))).isTrue();
    context.sent.clear();
    enumerator.addReader(0);
    enumerator.handleSourceEvent(0, new RestNews.Asked());
    assertThat(context.sent).containsExactlyElementsOf(told(B));
  }

  @Test
  void whatComesOfARunAtRestWakesIt() {
    search.resting.put("a.1", A);
    search.resting.put("b.1", B);
    withReader();
    context.sent.clear();
    context.runAgain();
    assertThat(context.sent).isEmpty();
    search.moved.add("b.1");
    context.runAgain();
    context.runAgain();
    assertThat(context.sent).containsExactly(new RestNews.Woken(Set.of("b.1")));
    assertThat(runs.isQuiet(TOPICS.feedback("b"))).isFalse();
  }

  @Test
  void whatWasReadOfRunsThatRestIsKeptAnewEachDay() {
    search.resting.put("a.1", A);
    search.resting.put("b.1", B);
    search.moved.add("b.1");
    withReader();
    for (int look = 0; look < 8_640; look++) {
      context.runAgain();
    }
    assertThat(search.kept).containsExactly(Set.of(A));
    search.away = true;
    context.runAgain();
    assertThat(search.kept).containsExactly(Set.of(A));
    assertThat(runs.isQuiet(TOPICS.control("a.1"))).isTrue();
  }

  @Test
  void aReaderThatIsAwayIsSentNothing() {
    search.resting.put("a.1", A);
    RestingEnumerator enumerator = withReader();
    context.sent.clear();
    context.readers.clear();
    enumerator.handleSourceEvent(0, new RestNews.Called("a.1"));
    assertThat(context.sent).isEmpty();
  }

  /** What is told of runs. */
  private static final class Found implements RestingRuns.Search {
    private static final long serialVersionUID = 1;

    private final HashMap<String, RestingRun> resting = new HashMap<>();
    private final HashSet<String> moved = new HashSet<>();
    private final ArrayList<Set<RestingRun>> kept = new ArrayList<>();
    private boolean away;

    @Override
    public void keep(Collection<RestingRun> runs) {
      if (away) {
        throw new KafkaException("away");
      }
      kept.add(Set.copyOf(runs));
    }

    @Override
    public Map<String, RestingRun> find() {
      if (away) {
        throw new KafkaException("away");
      }
      return Map.copyOf(resting);
    }

    @Override
    public Set<String> moved(Collection<RestingRun> runs) {
      return Set.copyOf(moved);
    }
  }

  @Test
  void readersAreToldOfTopicsThatAreGoneOnce() {
    withReader();
    context.sent.clear();
    runs.gone(Set.of("feedback.a"));
    runs.gone(Set.of("control.a.1"));
    context.runAgain();
    assertThat(context.sent)
        .containsExactly(new RestNews.Gone(Set.of("feedback.a", "control.a.1")));
    context.runAgain();
    assertThat(context.sent).hasSize(1);
  }

  @Test
  void aReaderThatHasNotAskedYetIsToldOfNothingThatIsGone() {
    started();
    context.readers.put(0, new ReaderInfo(0, "here"));
    runs.gone(Set.of("feedback.a"));
    context.runAgain();
    assertThat(context.sent).isEmpty();
  }

  /** Only starts. */
  private final class Inner implements SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> {
    private int startedAfter;

    @Override
    public void start() {
      startedAfter = context.once.size();
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
      throw new UnsupportedOperationException("splits are given, not asked for");
    }

    @Override
    public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {
      throw new UnsupportedOperationException("no reader fails: " + splits);
    }

    @Override
    public void addReader(int subtask) {
      assertThat(context.readers).containsKey(subtask);
    }

    @Override
    public KafkaSourceEnumState snapshotState(long checkpointId) {
      return new KafkaSourceEnumState(Set.of(), true);
    }

    @Override
    public void close() {
      startedAfter = 0;
    }
  }

  /** Keeps what is to be done, and what is sent. */
  private static final class Context implements SplitEnumeratorContext<KafkaPartitionSplit> {
    private final Map<Integer, ReaderInfo> readers = new HashMap<>();
    private final List<SourceEvent> sent = new ArrayList<>();
    private final List<Runnable> once = new ArrayList<>();
    private final List<Runnable> again = new ArrayList<>();

    private void runOnce() {
      List.copyOf(once).forEach(Runnable::run);
      once.clear();
    }

    private void runAgain() {
      List.copyOf(again).forEach(Runnable::run);
    }

    private static <T> Runnable task(Callable<T> callable, BiConsumer<T, Throwable> handler) {
      return () -> {
        T result;
        try {
          result = callable.call();
        } catch (Exception e) {
          handler.accept(null, e);
          return;
        }
        handler.accept(result, null);
      };
    }

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
      return UnregisteredMetricsGroup.createSplitEnumeratorMetricGroup();
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
      sent.add(event);
    }

    @Override
    public int currentParallelism() {
      return 1;
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
      return readers;
    }

    @Override
    public void assignSplits(SplitsAssignment<KafkaPartitionSplit> given) {
      throw new UnsupportedOperationException("nothing is given here: " + given);
    }

    @Override
    public void signalNoMoreSplits(int subtask) {
      throw new UnsupportedOperationException("there are always more for " + subtask);
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
      once.add(task(callable, handler));
    }

    @Override
    public <T> void callAsync(
        Callable<T> callable, BiConsumer<T, Throwable> handler, long initialDelay, long period) {
      again.add(task(callable, handler));
    }

    @Override
    public void runInCoordinatorThread(Runnable runnable) {
      runnable.run();
    }

    @Override
    public void setIsProcessingBacklog(boolean is) {
      throw new UnsupportedOperationException("nobody asks for a backlog");
    }
  }
}
