package io.sluice.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.stream.TestingConsumer;
import io.sluice.client.stream.TestingLog;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.GoverningEntry;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TimelineOpening;
import io.sluice.schema.TopicReader;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LogOpeningTest {
  private static final KafkaAccess ACCESS = KafkaAccess.local("localhost:9092");
  private static final Topics TOPICS = ACCESS.topics();
  private static final String LOG = TOPICS.control("r.a");

  private final TestingConsumer<byte[]> kafka = TestingConsumer.of(100);
  private final RunInfo run = named(new TestingStream(1, 4).run());
  private final RunInfo revised =
      new RunInfo("r.a", RunSpec.newBuilder(run.spec()).setPolicy("velocitune").build());
  private final List<GoverningEntry> governing = new ArrayList<>();
  private final List<TimelineOpening> openings = new ArrayList<>();
  private RunSpec spec = run.spec();
  private byte[] last = {};
  private long serial = -1;
  private long offset = -1;
  private long granted;
  private int timeline;

  private static RunInfo named(RunInfo run) {
    return new RunInfo("r.a", RunSpec.newBuilder(run.spec()).setRun("r").build());
  }

  @BeforeEach
  void start() {
    kafka.create(LOG, 1);
    append(TestingLog.started(run));
    governing.add(new GoverningEntry(0L, 0L, 0L, 0L));
    openings.add(new TimelineOpening(0, 0L, 0L));
  }

  private void append(ControlRecord entry) {
    entry.setTimeline(timeline);
    last = WireCodec.encode(entry);
    serial = entry.getSerial();
    offset = kafka.append(LOG, 0, serial, last, new RecordHeaders());
  }

  private void grant(int grants) {
    for (int i = 0; i < grants; i++) {
      append(TestingLog.grant("r.a", serial + 1, offset, granted, granted + 1));
      granted++;
      if (serial % 257 == 256) {
        append(snapshot());
      }
    }
  }

  private void revise(RunInfo to, long batch, boolean opens) {
    long index = batch * run.spec().getBatchSizes().get(0).getSequences();
    timeline += opens ? 1 : 0;
    append(TestingLog.revised(to, timeline, serial + 1, offset, batch, index, 1));
    governing.removeIf(each -> each.getAfter() >= batch);
    governing.add(new GoverningEntry(serial, offset, batch, index));
    if (opens) {
      openings.add(new TimelineOpening(timeline, batch, index));
    }
    spec = to.spec();
    granted = batch;
  }

  private ControlRecord snapshot() {
    ControlRecord shape = TestingLog.revised(run, timeline, 0, 0, granted, 0, 1);
    LogSnapshot body =
        LogSnapshot.newBuilder()
            .setDigest(ChainHash.fnv(ChainHash.FNV_OFFSET, last))
            .setPlanVersion(1)
            .setStreamTopicId("")
            .setSpec(spec)
            .setState("paused")
            .setWhy("lunch")
            .setSnapshot(((RunRevised) shape.getBody()).getSnapshot())
            .setHeardTo(0)
            .setRounds(0)
            .setOpenings(List.copyOf(openings))
            .setRevisions(List.of())
            .setGoverning(List.copyOf(governing))
            .setOrigin(null)
            .setAnswered(List.of())
            .setEarlier(List.of())
            .build();
    return new ControlRecord("r.a", timeline, serial + 1, offset, "w", 0L, "snapshot", body, null);
  }

  private ControlFollower follow() {
    ControlFollower control =
        new ControlFollower(run, TOPICS, () -> new TopicReader(ACCESS, kafka.again()));
    control.refresh();
    return control;
  }

  /** What the log's first records say until there is a snapshot, then what the snapshot does. */
  private RunTimeline readWhole() {
    RunLogFold fold = new RunLogFold("r.a");
    try (TopicReader reader = new TopicReader(ACCESS, kafka.again())) {
      reader.catchUp(
          LOG,
          Duration.ofSeconds(10),
          message ->
              ControlRecords.decode(message)
                  .ifPresent(entry -> fold.apply(0, message.offset(), entry, 0)));
    }
    assertThat(fold.granted()).isEqualTo(granted);
    return fold.runTimeline().orElseThrow();
  }

  @Test
  void aLongLogIsOpenedFromItsNewestSnapshot() {
    grant(3_000);
    revise(revised, 3_000, false);
    grant(7_000);
    TestingConsumer<byte[]> counted = kafka.again();
    try (ControlFollower control =
        new ControlFollower(run, TOPICS, () -> new TopicReader(ACCESS, counted))) {
      control.refresh();
      assertThat(counted.polled()).isLessThan(700);
      assertThat(control.run().granted()).isEqualTo(10_000);
      assertThat(control.run().describe(10_001)).startsWith("run r.a is paused (lunch)");
      assertThat(control.runTimeline()).isEqualTo(readWhole());
      assertThat(control.infoAt(3_000).spec().getPolicy()).isEqualTo("static");
      assertThat(control.infoAt(3_001).spec().getPolicy()).isEqualTo("velocitune");
      grant(300);
      control.refresh();
      assertThat(control.run().granted()).isEqualTo(10_300);
    }
  }

  @Test
  void aReaderThatGetsNoAnswerOfALogThatIsThereIsReplaced() {
    grant(3_000);
    TestingConsumer<byte[]> second = kafka.again();
    AtomicBoolean deaf = new AtomicBoolean();
    Iterator<Consumer<byte[], byte[]>> consumers =
        List.of(deafIf(deaf, kafka.again()), second).iterator();
    try (ControlFollower control =
        new ControlFollower(run, TOPICS, () -> new TopicReader(ACCESS, consumers.next()))) {
      control.refresh();
      deaf.set(true);
      grant(20);
      assertThatThrownBy(control::refresh).isInstanceOf(KafkaUnreachableException.class);
      assertThat(control.run().granted()).isEqualTo(3_000);
      control.refresh();
      assertThat(control.run().granted()).isEqualTo(3_020);
      assertThat(second.polled()).as("what is new").isLessThan(50);
      assertThat(control.runTimeline()).isEqualTo(readWhole());
    }
  }

  /** A consumer that knows topics, and at some time no longer gets to know where they end. */
  @SuppressWarnings("unchecked")
  private static Consumer<byte[], byte[]> deafIf(
      AtomicBoolean deaf, Consumer<byte[], byte[]> consumer) {
    return (Consumer<byte[], byte[]>)
        Proxy.newProxyInstance(
            LogOpeningTest.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            (proxy, method, arguments) -> {
              if (deaf.get() && method.getName().equals("endOffsets")) {
                throw new TimeoutException("no answer");
              }
              try {
                return method.invoke(consumer, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void timelinesAndWhatGovernsThemComeFromTheSnapshot() {
    grant(400);
    revise(revised, 300, true);
    grant(200);
    revise(run, 450, true);
    grant(600);
    try (ControlFollower control = follow()) {
      assertThat(control.runTimeline()).isEqualTo(readWhole());
      assertThat(control.runTimeline().timelines().owner(301)).isEqualTo(1);
      assertThat(control.infoAt(451).spec().getPolicy()).isEqualTo("static");
    }
  }

  @Test
  void aLogWhoseSnapshotNamesWhatIsNotThereIsReadFromItsStart() {
    grant(100);
    revise(revised, 100, false);
    governing.set(0, new GoverningEntry(0L, 5L, 0L, 0L));
    grant(200);
    try (ControlFollower control = follow()) {
      assertThat(control.runTimeline()).isEqualTo(readWhole());
      assertThat(control.run().granted()).isEqualTo(300);
      assertThat(control.run().state()).isEqualTo("running");
    }
  }

  @Test
  void aSnapshotInTheSharedLogIsNoEntry() {
    kafka.create(TOPICS.control(), 1);
    String shared = TOPICS.control();
    RunInfo old = new RunInfo("old.1", run.spec());
    kafka.append(shared, 0, 0, WireCodec.encode(TestingLog.started(old)), new RecordHeaders());
    ControlRecord said = snapshot();
    said.setRunId("old.1");
    kafka.append(shared, 0, 0, WireCodec.encode(said), new RecordHeaders());
    ControlRecord grant = TestingLog.grant("old.1", 1, 0, 0, 5);
    kafka.append(shared, 0, 0, WireCodec.encode(grant), new RecordHeaders());
    try (ControlFollower control =
        new ControlFollower(old, TOPICS, () -> new TopicReader(ACCESS, kafka.again()))) {
      control.refresh();
      assertThat(control.run().granted()).isEqualTo(5);
    }
  }
}
