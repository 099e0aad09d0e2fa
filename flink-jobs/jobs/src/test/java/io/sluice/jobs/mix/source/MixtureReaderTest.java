package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.fetch.Consumers;
import io.sluice.jobs.mix.fetch.FetchMemory;
import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.StreamFailure;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.jobs.mix.stream.TestingDelivery;
import io.sluice.jobs.mix.tail.TestingStreams;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.clients.consumer.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MixtureReaderTest {
  private static final Topics NAMES = Topics.standard();
  private static final long SIZE = 40;

  private final TestingTopics topics = new TestingTopics();
  private final TestingStreams streams = new TestingStreams(topics);
  private final TestingReaderContext context = new TestingReaderContext();
  private final FetchMemory memory = new FetchMemory(1 << 30, System::nanoTime);
  private final TestingNotices notices = new TestingNotices();
  private final List<MixtureReader> readers = new ArrayList<>();
  private final TestingOutput output = new TestingOutput();

  @AfterEach
  void close() throws Exception {
    for (MixtureReader reader : readers) {
      reader.close();
    }
  }

  private MixtureReader reader(MixSplit... splits) {
    return reader(MixtureSourceSettings.defaults(), splits);
  }

  private MixtureReader reader(MixtureSourceSettings settings, MixSplit... splits) {
    return reader(settings, memory, splits);
  }

  private MixtureReader reader(
      MixtureSourceSettings settings, FetchMemory budget, MixSplit... splits) {
    MixtureReader reader =
        new MixtureReader(NAMES, topics, settings, budget, notices, context, streams::check);
    readers.add(reader);
    reader.addSplits(List.of(splits));
    reader.start();
    return reader;
  }

  private void writeBlocks(int domain) {
    String topic = NAMES.blocks("data", "d" + domain);
    for (long ordinal = 0; ordinal < SIZE; ordinal++) {
      topics.append(topic, ordinal, TestingRun.block(domain, ordinal));
    }
    topics.append(
        topic,
        SIZE,
        WireCodec.encode(EndOfDomain.newBuilder().setDomain("d").setSize(SIZE).build()));
  }

  /** Puts a run's entries on the control topic at the offsets that the run gave them. */
  private void publish(TestingRun... runs) {
    for (TestingRun run : runs) {
      run.log().forEach(this::publish);
    }
  }

  private void publish(TestingRun.Entry e) {
    ControlRecord record =
        e.entry().body() instanceof Revised
            ? ControlWire.revised(e.entry(), spec(e.entry()), "test", 0)
            : ControlWire.write(e.entry(), "test", 0);
    topics.append(NAMES.control(), e.offset(), 0, WireCodec.encode(record));
  }

  private static RunSpec spec(ControlEntry entry) {
    RunSettings settings = ((Revised) entry.body()).settings();
    return RunSpec.newBuilder()
        .setRun("a")
        .setDataset("data")
        .setFingerprint(0xFEEDL)
        .setTokenizer("bytes")
        .setVocabulary(260)
        .setSequenceLength(64)
        .setDomains(settings.domains())
        .setStreamPartitions(TestingRun.PARTITIONS)
        .setBatchSizes(List.of(new BatchSize(1L, 8)))
        .setSeed(settings.seed())
        .setInitialWeights(ControlWire.boxed(settings.initialWeights()))
        .setPolicy("static")
        .setUpdateEvery(0)
        .setEpochs(settings.epochs())
        .build();
  }

  private void pollUntil(MixtureReader reader, int records) throws Exception {
    pollUntil(reader, () -> output.records.size() >= records);
  }

  private void pollUntil(MixtureReader reader, BooleanSupplier done) throws Exception {
    while (!done.getAsBoolean()) {
      if (reader.pollNext(output) == InputStatus.NOTHING_AVAILABLE && !done.getAsBoolean()) {
        reader.isAvailable().get(30, TimeUnit.SECONDS);
      }
    }
  }

  private static List<String> values(List<StreamRecord> records) {
    return records.stream()
        .map(r -> StreamHeader.decode(r.header()) + TestingRun.text(r.value()))
        .toList();
  }

  @Test
  void goesOnWhereTheBrokerHasEverythingOnceSomethingWasLost() throws Exception {
    writeBlocks(0);
    writeBlocks(1);
    TestingRun run =
        new TestingRun("a", 2).grant(Weights.uniform(2), 20, 10).phase(RunPhase.COMPLETED);
    publish(run);
    output.sink = TestingDelivery::taken;
    MixSplit begun = run.split();
    MixtureReader reader = reader(begun);
    pollUntil(reader, 5);
    assertThat(reader.snapshotState(1)).as("nothing is delivered").containsExactly(begun);
    output.records.forEach(TestingDelivery::delivered);
    List<MixSplit> five = reader.snapshotState(2);
    assertThat(five).extracting(split -> split.cursor().position()).containsExactly(5);
    pollUntil(reader, 9);
    assertThat(reader.snapshotState(3)).as("the last that was delivered").isEqualTo(five);
    TestingDelivery.lost(output.records.get(6));
    List<String> before = values(output.records);
    output.records.clear();
    output.sink = record -> {};
    pollUntil(reader, 4);
    assertThat(values(output.records)).startsWith(before.subList(5, 9).toArray(String[]::new));
    assertThat(output.failures).isEmpty();
  }

  @Test
  void isNotAtItsEndWhileTheBrokerLacksItsTail() throws Exception {
    writeBlocks(0);
    writeBlocks(1);
    TestingRun run =
        new TestingRun("a", 2).grant(Weights.uniform(2), 20, 10).phase(RunPhase.COMPLETED);
    publish(run);
    output.sink = TestingDelivery::taken;
    MixtureReader reader = reader(run.split());
    int all = 20 * 10;
    pollUntil(reader, all);
    while (reader.pollNext(output) != InputStatus.NOTHING_AVAILABLE) {
      assertThat(output.records).hasSize(all);
    }
    assertThat(output.ends).isEmpty();
    output.records.forEach(TestingDelivery::delivered);
    pollUntil(reader, () -> !output.ends.isEmpty());
    assertThat(output.records).hasSize(all);
  }

  @Test
  void emitsWhatIsGrantedAndEnds() throws Exception {
    writeBlocks(0);
    writeBlocks(1);
    TestingRun run =
        new TestingRun("a", 2).grant(Weights.uniform(2), 20, 10).phase(RunPhase.COMPLETED);
    publish(run);
    MixtureReader reader = reader(run.split());
    pollUntil(reader, () -> context.events().size() >= 2);

    assertThat(output.records).hasSize(200);
    assertThat(output.ends).extracting(end -> end.target().runId()).containsExactly("a.1");
    assertThat(context.events())
        .containsExactly(new ReaderEvent.Owns(List.of("a.1/0")), new ReaderEvent.Ended("a.1/0"));
    assertThat(reader.snapshotState(1)).as("kept until a checkpoint is complete").hasSize(1);
    reader.notifyCheckpointComplete(1);
    assertThat(reader.snapshotState(2)).isEmpty();
  }

  @Test
  void endsWithItsRunsOnceNoMoreCome() throws Exception {
    writeBlocks(0);
    TestingRun run =
        new TestingRun("a", 1).grant(Weights.uniform(1), 2, 10).phase(RunPhase.COMPLETED);
    publish(run);
    MixtureReader reader = reader(run.split());
    assertThat(reader.pollNext(output)).isNotEqualTo(InputStatus.END_OF_INPUT);
    reader.notifyNoMoreSplits();
    InputStatus status = InputStatus.MORE_AVAILABLE;
    while (status != InputStatus.END_OF_INPUT) {
      if (status == InputStatus.NOTHING_AVAILABLE) {
        reader.isAvailable().get(30, TimeUnit.SECONDS);
      }
      status = reader.pollNext(output);
    }
    assertThat(output.records).hasSize(20);
    assertThat(output.ends).hasSize(1);
  }

  @Test
  void aReaderWithoutRunsWaitsUntilNoneCanCome() throws Exception {
    topics.create(NAMES.control());
    MixtureReader reader = reader();
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    reader.notifyNoMoreSplits();
    assertThat(reader.isAvailable()).isDone();
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.END_OF_INPUT);
  }

  @Test
  void goesOnFromACheckpointWithTheSameBytes() throws Exception {
    writeBlocks(0);
    writeBlocks(1);
    TestingRun run = new TestingRun("a", 2).grant(Weights.ofShares(0.8, 0.2), 20, 10);
    publish(run);
    MixtureReader first = reader(run.split());
    pollUntil(first, 77);
    List<MixSplit> kept = first.snapshotState(1);
    pollUntil(first, 200);
    List<String> all = values(output.records);

    output.records.subList(77, 200).clear();
    pollUntil(reader(kept.get(0)), 200);
    assertThat(values(output.records)).isEqualTo(all);
  }

  @Test
  void aConsumerForEachDomainEmitsWhatOneForAllDoes() throws Exception {
    int sequences = 900;
    writeBlocks(0);
    writeBlocks(1);
    writeBlocks(2);
    TestingRun run = new TestingRun("a", 3).grant(Weights.ofShares(0.9, 0.09, 0.01), 90, 10);
    publish(run);
    pollUntil(reader(run.split()), sequences);
    List<String> expected = values(output.records);
    output.records.clear();
    int before = topics.blockConsumers().size();
    MixtureSourceSettings defaults = MixtureSourceSettings.defaults();
    MixtureSourceSettings apart =
        new MixtureSourceSettings(
            defaults.discoveryInterval(),
            1 << 16,
            1,
            defaults.unsentBytes(),
            defaults.waitReport(),
            null);
    pollUntil(reader(apart, run.split()), sequences);

    assertThat(values(output.records)).isEqualTo(expected);
    assertThat(before).isEqualTo(1);
    assertThat(topics.blockConsumers()).as("two more, and the first again").hasSize(3);
  }

  @Test
  void goesOnInTheNextTimelineAndWithAnAddedDomain() throws Exception {
    writeBlocks(0);
    writeBlocks(1);
    writeBlocks(2);
    TestingRun run = new TestingRun("a", 2).grant(Weights.uniform(2), 20, 10);
    publish(run);
    MixtureReader reader = reader(run.split());
    pollUntil(reader, 77);
    int logged = run.log().size();
    run.rewind(3, 3).addDomain("d2").grant(Weights.uniform(3), 10, 9);
    run.log().subList(logged, run.log().size()).forEach(this::publish);
    pollUntil(reader, () -> last().index() == 30 + 10 * 9 - 1 && last().timeline() == 1);

    List<StreamHeader> opened =
        output.records.stream()
            .map(record -> StreamHeader.decode(record.header()))
            .filter(header -> header.timeline() == 1)
            .toList();
    assertThat(opened).hasSize(90);
    assertThat(opened.get(0).batch()).isEqualTo(4);
    assertThat(reader.snapshotState(1))
        .singleElement()
        .satisfies(split -> assertThat(split.layout().domains()).containsExactly("d0", "d1", "d2"));
    assertThat(context.events()).containsExactly(new ReaderEvent.Owns(List.of("a.1/0")));
  }

  private StreamHeader last() {
    return StreamHeader.decode(output.records.get(output.records.size() - 1).header());
  }

  @Test
  void aRunThatIsGrantedFarAheadDoesNotKeepAnotherFromItsShare() throws Exception {
    writeBlocks(0);
    writeBlocks(1);
    TestingRun fast = new TestingRun("a", 2).grant(Weights.uniform(2), 2_000, 10);
    TestingRun slow = new TestingRun("b", 2, 10_007);
    publish(fast);
    MixtureReader reader = reader(fast.split(), slow.split());
    pollUntil(reader, 100);
    publish(slow.grant(Weights.uniform(2), 1, 10));
    pollUntil(reader, () -> of("b") == 10);
    assertThat(of("a")).as("the fast run was not drained first").isLessThan(20_000);
  }

  private long of(String run) {
    return output.records.stream().filter(r -> r.target().runId().equals(run + ".1")).count();
  }

  @Test
  void aBrokenRunLeavesTheOthersAlone() throws Exception {
    writeBlocks(0);
    topics.append(NAMES.blocks("data", "d1"), 3, TestingRun.block(1, 3));
    TestingRun good = new TestingRun("a", 1).grant(Weights.uniform(1), 10, 10);
    TestingRun other = new TestingRun("b", 1, 107).grant(Weights.uniform(1), 10, 10);
    TestingRun broken = new TestingRun("c", 2, 207).grant(Weights.ofShares(0, 1), 10, 10);
    publish(good, other, broken);
    MixtureReader reader = reader(good.split(), broken.split(), other.split());
    pollUntil(reader, 200);

    assertThat(output.records).noneMatch(r -> r.target().topic().endsWith(".c"));
    pollUntil(reader, () -> !output.failures.isEmpty());
    assertThat(output.failures).extracting(f -> f.target().runId()).containsExactly("c.1");
    assertThat(output.failures.get(0).reason())
        .contains("blocks are missing: expected ordinal 0, found 3");
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    assertThat(reader.snapshotState(1))
        .as("the broken one stays, to be tried again")
        .extracting(MixSplit::runId)
        .containsExactlyInAnyOrder("a.1", "b.1", "c.1");
  }

  @Test
  void aRunThatBreaksARuleStopsAloneWithTheNumbers() throws Exception {
    writeBlocks(0);
    TestingRun good = new TestingRun("a", 1).grant(Weights.uniform(1), 10, 10);
    TestingRun wrong = new TestingRun("b", 1, 107);
    wrong.write(versioned(0, 2)).write(versioned(1, 1));
    publish(good, wrong);
    MixtureReader reader = reader(good.split(), wrong.split());
    pollUntil(reader, () -> of("a") == 100 && !output.failures.isEmpty());
    assertThat(output.failures)
        .extracting(StreamFailure::reason)
        .containsExactly("weights version of batch 2 must be at least 2: 1");
  }

  @Test
  void aRecordThatIsNoEntryEndsTheRunThatWaitsForIt() throws Exception {
    writeBlocks(0);
    TestingRun good = new TestingRun("a", 1).grant(Weights.uniform(1), 10, 10);
    TestingRun other = new TestingRun("b", 1, 107);
    publish(good);
    ControlRecord record = ControlWire.write(other.next(versioned(0, 1)), "test", 0);
    MixtureGrant grant = (MixtureGrant) record.getBody();
    grant.setTo(-5L);
    topics.append(NAMES.control(), 110, 0, WireCodec.encode(record));
    record.setSerial(5);
    record.setRunId("a.1");
    topics.append(NAMES.control(), 111, 0, WireCodec.encode(record));
    MixtureReader reader = reader(good.split(), other.split());
    pollUntil(reader, () -> of("a") == 100 && !output.failures.isEmpty());
    assertThat(output.failures)
        .extracting(StreamFailure::reason)
        .containsExactly(
            "control log at offset 110: a grant of (0, -5] must have its batch sizes: 1");
  }

  private static Grant versioned(long after, int version) {
    return new Grant(
        after,
        after + 1,
        4 * after,
        version,
        new int[] {4},
        new int[] {4},
        Weights.uniform(1),
        new long[0],
        Optional.empty());
  }

  @Test
  void wakesUpForALateGrantAndForLateBlocks() throws Exception {
    TestingRun run = new TestingRun("a", 1);
    streams.start(run);
    MixtureReader reader = reader(run.split());
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    assertThat(reader.isAvailable()).isNotDone();

    publish(run.grant(Weights.uniform(1), 2, 10));
    writeBlocks(0);
    pollUntil(reader, 20);
    assertThat(values(output.records)).doesNotHaveDuplicates();
  }

  @Test
  void aRunWhoseFetcherDiesTwiceGoesOnAfterAPause() throws Exception {
    writeBlocks(0);
    TestingRun run = new TestingRun("a", 1).grant(Weights.uniform(1), 10, 10);
    publish(run);
    AtomicInteger openings = new AtomicInteger();
    MixtureReader reader =
        new MixtureReader(
            NAMES,
            new Consumers() {
              @Override
              public Consumer<byte[], byte[]> control(String clientId) {
                return topics.control(clientId);
              }

              @Override
              public Consumer<byte[], ByteBuffer> blocks(
                  String clientId, int lane, int domains, int readers, long budget) {
                if (openings.incrementAndGet() <= 2) {
                  throw new NoClassDefFoundError("a class that was there a moment ago");
                }
                return topics.blocks(clientId, lane, domains, readers, budget);
              }
            },
            MixtureSourceSettings.defaults(),
            memory,
            notices,
            context,
            streams::check);
    readers.add(reader);
    reader.addSplits(List.of(run.split()));
    reader.start();
    pollUntil(reader, () -> openings.get() == 1 && reader.snapshotState(1).size() == 1);
    pollUntil(reader, () -> notices.last(run.split().runId(), 0).contains("goes on then"));
    pollUntil(reader, 100);
    assertThat(notices.last(run.split().runId(), 0)).endsWith(" flows");

    assertThat(openings).hasValue(3);
    assertThat(output.failures).isEmpty();
    assertThat(values(output.records)).doesNotHaveDuplicates();
    assertThat(reader.snapshotState(2)).hasSize(1);
  }

  @Test
  void runsThatDoNotFitWaitUntilTheOthersNeedNoMoreBlocks() throws Exception {
    writeBlocks(0);
    List<TestingRun> runs = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      // Their entries stand at offsets of their own.
      runs.add(new TestingRun(name, 1, 7 + runs.size()).grant(Weights.uniform(1), 3, 10));
    }
    runs.forEach(this::publish);
    FetchMemory little = new FetchMemory(1, System::nanoTime);
    MixtureReader reader =
        reader(
            MixtureSourceSettings.defaults(),
            little,
            runs.stream().map(TestingRun::split).toArray(MixSplit[]::new));
    assertThat(topics.blockConsumers().size()).isLessThanOrEqualTo(1);
    assertThat(little.waiting()).isEqualTo(2);
    assertThat(reader.snapshotState(1)).as("who waits is kept, too").hasSize(3);
    pollUntil(reader, 90);
    for (TestingRun run : runs) {
      assertThat(output.records)
          .filteredOn(r -> r.target().runId().equals(run.split().runId()))
          .hasSize(30);
    }
    assertThat(little.in()).isLessThanOrEqualTo(1);
  }

  @Test
  void peopleAreToldWhyWhatIsGrantedIsNotEmittedAndWhenItIs() throws Exception {
    writeBlocks(0);
    TestingRun run = new TestingRun("a", 1).grant(Weights.uniform(1), 3, 10);
    publish(run);
    String runId = run.split().runId();
    FetchMemory little = new FetchMemory(1, System::nanoTime);
    FetchMemory.Claim other = little.claim(1, 1 << 20, () -> {});
    other.join();
    MixtureReader reader = reader(MixtureSourceSettings.defaults(), little, run.split());
    pollUntil(reader, () -> notices.last(runId, 0).contains(" waits "));
    assertThat(notices.last(runId, 0))
        .isEqualTo(runId + "/0 waits until others leave it memory for its blocks");
    other.leave();
    pollUntil(reader, 30);
    pollUntil(reader, () -> notices.last(runId, 0).equals(runId + "/0 flows"));
    assertThat(notices.told).as("a wait for a grant is the controller's to tell").hasSize(3);
  }

  @Test
  void aBrokenControlLogFailsTheTask() {
    MixtureReader reader =
        new MixtureReader(
            NAMES,
            new Consumers() {
              @Override
              public Consumer<byte[], byte[]> control(String clientId) {
                throw new IllegalStateException("no control");
              }

              @Override
              public Consumer<byte[], ByteBuffer> blocks(
                  String clientId, int lane, int domains, int readers, long budget) {
                throw new IllegalStateException("no blocks");
              }
            },
            MixtureSourceSettings.defaults(),
            memory,
            notices,
            context,
            streams::check);
    readers.add(reader);
    reader.start();
    assertThatThrownBy(() -> pollUntil(reader, 1))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot read the control log: no control");
  }

  @Test
  void aRunIsFollowedInItsOwnLogAndNoOther() throws Exception {
    writeBlocks(0);
    TestingRun run = new TestingRun("a", 1).grant(Weights.uniform(1), 10, 10);
    TestingRun forged = new TestingRun("a", 1).grant(Weights.uniform(1), 5, 20);
    publish(forged);
    for (TestingRun.Entry e : run.log()) {
      byte[] entry = WireCodec.encode(ControlWire.write(e.entry(), "test", 0));
      topics.append(NAMES.control(run.split().runId()), e.offset(), 0, entry);
    }
    MixtureReader reader = reader(ofOwnLog(run.split()));
    pollUntil(reader, 100);
    assertThat(output.records).hasSize(100);
    assertThat(StreamHeader.decode(output.records.get(99).header()).batch()).isEqualTo(10);
  }

  private static MixSplit ofOwnLog(MixSplit split) {
    return new MixSplit(
        split.runId(), split.lane(), MixSplit.OWN_LOG, split.layout(), split.cursor());
  }

  @Test
  void aRunWhoseLogHasLostItsTailFailsAlone() throws Exception {
    writeBlocks(0);
    TestingRun good = new TestingRun("a", 1).grant(Weights.uniform(1), 10, 10);
    TestingRun cut = new TestingRun("b", 1);
    publish(good);
    String log = NAMES.control(cut.split().runId());
    topics.create(log);
    topics.lose(log);
    MixtureReader reader = reader(good.split(), ofOwnLog(cut.split()));
    pollUntil(reader, () -> of("a") == 100 && !output.failures.isEmpty());
    assertThat(output.failures)
        .extracting(StreamFailure::reason)
        .containsExactly(
            "control log "
                + log
                + "-0 has no record "
                + (cut.split().cursor().control().offset() + 1));
  }
}
