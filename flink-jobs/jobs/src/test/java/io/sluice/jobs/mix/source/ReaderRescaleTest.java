package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.fetch.FetchMemory;
import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.split.EnumeratorState;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.jobs.mix.tail.TestingStreams;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.core.io.InputStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Splits move between readers when the source's parallelism changes. */
@Timeout(120)
final class ReaderRescaleTest {
  private static final Topics NAMES = Topics.standard();
  private static final int RUNS = 6;
  private static final int SEQUENCES = 200;

  private final TestingTopics topics = new TestingTopics();
  private final TestingStreams streams = new TestingStreams(topics);
  private final List<MixSplit> started = new ArrayList<>();

  private void write() {
    for (int domain = 0; domain < 2; domain++) {
      for (long ordinal = 0; ordinal < SEQUENCES; ordinal++) {
        topics.append(
            NAMES.blocks("data", "d" + domain), ordinal, TestingRun.block(domain, ordinal));
      }
    }
    for (int i = 0; i < RUNS; i++) {
      TestingRun run =
          new TestingRun("run" + i, 2, 100L * i).grant(Weights.ofShares(1 + i, 3), 20, 10);
      started.add(run.split());
      for (TestingRun.Entry e : run.log()) {
        byte[] entry = WireCodec.encode(ControlWire.write(e.entry(), "test", 0));
        topics.append(NAMES.control(), e.offset(), 0, entry);
      }
    }
  }

  /** Emits all runs, with as many readers at a time as are listed. */
  private Map<String, List<String>> emitted(List<Integer> parallelisms) throws Exception {
    Map<String, List<String>> emitted = new TreeMap<>();
    List<MixSplit> splits = started;
    int target = 0;
    for (int parallelism : parallelisms) {
      target += RUNS * SEQUENCES / parallelisms.size();
      splits = stage(splits, parallelism, target, emitted);
    }
    assertThat(splits).hasSize(RUNS);
    return emitted;
  }

  /** Emits until there are so many sequences; the splits of the checkpoint that ends it. */
  private List<MixSplit> stage(
      List<MixSplit> splits, int parallelism, int target, Map<String, List<String>> emitted)
      throws Exception {
    Set<String> ids = new HashSet<>();
    splits.forEach(split -> ids.add(split.splitId()));
    Assignment assignment = new Assignment(new EnumeratorState(Map.of(), List.of(), ids, Set.of()));
    List<MixtureReader> readers = new ArrayList<>();
    for (int subtask = 0; subtask < parallelism; subtask++) {
      int reader = subtask;
      // As Flink hands out what readers have kept.
      List<MixSplit> own =
          IntStream.range(0, splits.size())
              .filter(i -> i % parallelism == reader)
              .mapToObj(splits::get)
              .toList();
      MixtureReader opened =
          new MixtureReader(
              NAMES,
              topics,
              MixtureSourceSettings.defaults(),
              new FetchMemory(1 << 30, System::nanoTime),
              new TestingNotices(),
              new TestingReaderContext(),
              streams::check);
      opened.addSplits(own);
      opened.start();
      readers.add(opened);
      assignment.owns(reader, own.stream().map(MixSplit::splitId).toList(), parallelism);
    }
    assertThat(assignment.assign(new TreeSet<>(List.of(0)))).as("nothing is unowned").isEmpty();
    List<MixSplit> kept = new ArrayList<>();
    while (emitted.values().stream().mapToInt(List::size).sum() < target) {
      for (MixtureReader reader : readers) {
        poll(reader, emitted);
      }
    }
    for (MixtureReader reader : readers) {
      kept.addAll(reader.snapshotState(1));
      reader.close();
    }
    return kept;
  }

  private static void poll(MixtureReader reader, Map<String, List<String>> emitted)
      throws Exception {
    TestingOutput output = new TestingOutput();
    if (reader.pollNext(output) == InputStatus.NOTHING_AVAILABLE && output.records.isEmpty()) {
      reader.isAvailable().completeOnTimeout(null, 5, TimeUnit.MILLISECONDS).get();
    }
    for (StreamRecord record : output.records) {
      emitted
          .computeIfAbsent(record.target().runId(), run -> new ArrayList<>())
          .add(StreamHeader.decode(record.header()).toString());
    }
  }

  @Test
  void emitsTheSameWhateverTheParallelism() throws Exception {
    write();
    Map<String, List<String>> rescaled = emitted(List.of(1, 4, 2, 1));
    assertThat(rescaled).hasSize(RUNS);
    assertThat(rescaled.values()).allMatch(sequences -> sequences.size() == SEQUENCES);
    assertThat(rescaled).isEqualTo(emitted(List.of(1)));
  }
}
