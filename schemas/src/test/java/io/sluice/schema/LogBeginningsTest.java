package io.sluice.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class LogBeginningsTest {
  private static final KafkaAccess ACCESS = KafkaAccess.local("nowhere");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Map<String, List<byte[]>> logs = new HashMap<>();
  private int read;

  private List<byte[]> log(String runId) {
    return logs.computeIfAbsent(runId, id -> new ArrayList<>());
  }

  /** Appends the entry after the last record. */
  private long append(String runId) {
    long end = log(runId).size();
    return append(runId, end, end - 1, new RunStateChanged("running", "", true));
  }

  private void append(String runId, int entries) {
    for (int i = 0; i < entries; i++) {
      append(runId);
    }
  }

  private long append(String runId, long serial, long basedOn, Object body) {
    log(runId)
        .add(
            WireCodec.encode(
                new ControlRecord(runId, 0, serial, basedOn, "w", 0L, "", body, null)));
    return log(runId).size() - 1L;
  }

  /** Appends a snapshot of all before it. */
  private long snapshot(String runId, long batch, List<EarlierSnapshot> earlier) {
    long end = log(runId).size();
    return append(runId, end, end - 1, said(runId, batch, earlier));
  }

  private long snapshot(String runId) {
    return snapshot(runId, log(runId).size(), List.of());
  }

  private LogSnapshot said(String runId, long batch, List<EarlierSnapshot> earlier) {
    ControlRecord sample = (ControlRecord) WireSamples.all().get("ControlRecord.LogSnapshot");
    LogSnapshot body = (LogSnapshot) sample.getBody();
    byte[] before = log(runId).get(log(runId).size() - 1);
    return LogSnapshot.newBuilder(body)
        .setSnapshot(RunSnapshot.newBuilder(body.getSnapshot()).setBatch(batch).build())
        .setDigest(ChainHash.fnv(ChainHash.FNV_OFFSET, before))
        .setEarlier(earlier)
        .build();
  }

  private LogBeginnings finder() {
    Map<TopicPartition, Long> begins = new HashMap<>();
    Map<TopicPartition, Long> ends = new HashMap<>();
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>("none") {
          @Override
          public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            return come(this);
          }
        };
    logs.forEach(
        (runId, values) -> {
          TopicPartition log = new TopicPartition(ACCESS.topics().control(runId), 0);
          begins.put(log, 0L);
          ends.put(log, (long) values.size());
        });
    consumer.updateBeginningOffsets(begins);
    consumer.updateEndOffsets(ends);
    read = 0;
    return new LogBeginnings(ACCESS, consumer);
  }

  /** All that is left of what is read, of each log. */
  private ConsumerRecords<byte[], byte[]> come(MockConsumer<byte[], byte[]> consumer) {
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> come = new HashMap<>();
    for (TopicPartition log : consumer.assignment()) {
      List<byte[]> values = log(log.topic().substring(ACCESS.topics().control("").length()));
      long position = consumer.position(log);
      if (!consumer.paused().contains(log) && position < values.size()) {
        for (int i = (int) position; i < values.size(); i++) {
          come.computeIfAbsent(log, each -> new ArrayList<>())
              .add(new ConsumerRecord<>(log.topic(), 0, i, new byte[0], values.get(i)));
          read++;
        }
        consumer.seek(log, values.size());
      }
    }
    return new ConsumerRecords<>(come, Map.of());
  }

  private long newest(String runId) {
    try (LogBeginnings finder = finder()) {
      LogBeginning found = finder.newest(List.of(runId), PATIENCE).get(runId);
      assertThat(found.snapshot().isPresent()).isEqualTo(found.offset() > 0);
      return found.offset();
    }
  }

  @Test
  void findsTheNewestSnapshotOfEachOfManyLogs() {
    Map<String, Long> expected = new HashMap<>();
    for (int run = 0; run < 40; run++) {
      String runId = "r." + run;
      append(runId, 900);
      snapshot(runId);
      append(runId, 10);
      expected.put(runId, snapshot(runId));
      append(runId, run % 3 == 0 ? run : 7 * run);
    }
    append("few.1", 20);
    snapshot("few.1");
    expected.put("few.1", 0L);
    append("none.1", 500);
    expected.put("none.1", 0L);
    try (LogBeginnings finder = finder()) {
      Map<String, Long> found = new HashMap<>();
      finder
          .newest(logs.keySet(), PATIENCE)
          .forEach((runId, beginning) -> found.put(runId, beginning.offset()));
      assertThat(found).isEqualTo(expected);
    }
  }

  @Test
  void aSnapshotAtTheEndOfALongLogIsFoundWithOneWindow() {
    append("r.1", 20_000);
    long offset = snapshot("r.1");
    assertThat(newest("r.1")).isEqualTo(offset);
    assertThat(read).isEqualTo(4);
    append("r.1", 3);
    assertThat(newest("r.1")).isEqualTo(offset);
    // What the snapshot is based on lies before the first window.
    assertThat(read).isEqualTo(4 + 36);
  }

  @Test
  void theRecordThatASnapshotIsBasedOnMayLieBeforeTheWindow() {
    append("r.1", 100);
    long offset = snapshot("r.1");
    append("r.1", 3);
    assertThat(newest("r.1")).isEqualTo(offset);
    append("r.1", 32);
    assertThat(newest("r.1")).isEqualTo(offset);
    append("r.1", 256);
    assertThat(newest("r.1")).isEqualTo(offset);
  }

  @Test
  void ofTwoCopiesTheFirstIsBelieved() {
    append("r.1", 100);
    long first = snapshot("r.1");
    log("r.1").add(log("r.1").get((int) first));
    append("r.1");
    assertThat(newest("r.1")).isEqualTo(first);
  }

  @Test
  void aSnapshotThatLostIsNotBelieved() {
    append("r.1", 100);
    long good = snapshot("r.1");
    append("r.1", 50);
    long end = log("r.1").size();
    LogSnapshot late = said("r.1", 7, List.of());
    append("r.1");
    append("r.1", end, end - 1, late);
    assertThat(newest("r.1")).isEqualTo(good);
  }

  @Test
  void aSnapshotOfARecordThatIsNotThereIsNotBelieved() {
    append("r.1", 100);
    long good = snapshot("r.1");
    append("r.1", 50);
    long end = log("r.1").size();
    LogSnapshot ofLost = said("r.1", 7, List.of());
    log("r.1").set((int) end - 1, log("r.1").get(3));
    append("r.1", end, end - 1, ofLost);
    assertThat(newest("r.1")).isEqualTo(good);
    LogSnapshot forged = LogSnapshot.newBuilder(said("r.1", 7, List.of())).setDigest(5).build();
    append("r.1", end + 1, end, forged);
    append("r.1", 3, 70_000, forged);
    append("r.1", 3, -1, forged);
    append("r.1", 3, log("r.1").size(), forged);
    append("r.1", 3, Long.MIN_VALUE, forged);
    log("r.1").add(new byte[] {1, 2, 3});
    assertThat(newest("r.1")).isEqualTo(good);
  }

  @Test
  void aSnapshotOfAnotherRunIsNotBelieved() {
    append("r.1", 100);
    long end = log("r.1").size();
    LogSnapshot said = said("r.1", 7, List.of());
    log("r.1")
        .add(WireCodec.encode(new ControlRecord("s.1", 0, end, end - 1, "w", 0L, "", said, null)));
    assertThat(newest("r.1")).isZero();
  }

  @Test
  void forAnOlderBatchItBeginsAtTheSnapshotThatTheNewestNames() {
    append("r.1", 100);
    long first = snapshot("r.1", 100, List.of());
    append("r.1", 100);
    long second = snapshot("r.1", 200, List.of(new EarlierSnapshot(100L, first, first)));
    append("r.1", 100);
    long third =
        snapshot(
            "r.1",
            300,
            List.of(
                new EarlierSnapshot(50L, 7L, 7L),
                new EarlierSnapshot(100L, first, first),
                new EarlierSnapshot(200L, second, second)));
    assertThat(before(400)).hasValue(third);
    assertThat(before(300)).hasValue(third);
    assertThat(before(299)).hasValue(second);
    assertThat(before(100)).hasValue(first);
    assertThat(before(99)).hasValue(0L);
    assertThat(before(10)).hasValue(0L);
  }

  private Optional<Long> before(long batch) {
    try (LogBeginnings finder = finder()) {
      return finder.before("r.1", batch, PATIENCE).map(LogBeginning::offset);
    }
  }
}
