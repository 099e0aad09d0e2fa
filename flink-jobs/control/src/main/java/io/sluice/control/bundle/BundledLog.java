package io.sluice.control.bundle;

import io.sluice.control.history.LogSource;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.EntryDigests;
import io.sluice.mixture.log.LogPosition;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The entries of a control log that decide which batches there are: the start, grants and
 * revisions. They are kept without what is of one log alone: who wrote them and when, run id and
 * topic, and on which offset each is based. The other entries of a log say in which phase a run
 * was, what it refused, or sum up; they change no batch.
 */
final class BundledLog {
  private static final long NO_OFFSET = -1;

  private BundledLog() {}

  /** Those of a run. */
  static List<ControlRecord> of(RunHistory history) {
    List<ControlRecord> records = new ArrayList<>();
    for (ControlEntry entry : history.entries()) {
      if (isKept(entry)) {
        records.add(kept(history, entry, records.size()));
      }
    }
    return records;
  }

  /** Whether an entry decides which batches there are. */
  static boolean isKept(ControlEntry entry) {
    return entry.body() instanceof Started
        || entry.body() instanceof Grant
        || entry.body() instanceof Revised;
  }

  private static ControlRecord kept(RunHistory history, ControlEntry entry, long serial) {
    RunSpec spec = plain(history.specAt(entry.serial()));
    ControlRecord record;
    if (entry.body() instanceof Started) {
      ApplyRun asked = new ApplyRun(spec, "", history.origin().orElse(null), true, true);
      record = ControlWire.started(entry, asked, "", 0);
    } else if (entry.body() instanceof Revised) {
      record = ControlWire.revised(entry, spec, "", 0);
    } else {
      record = ControlWire.write(entry, "", 0);
    }
    record.setRunId("");
    record.setSerial(serial);
    record.setBasedOn(NO_OFFSET);
    record.setBasedOnDigest(null);
    return record;
  }

  /** With its settings in order, so that the same have the same bytes. */
  static RunSpec plain(RunSpec spec) {
    return RunSpec.newBuilder(spec)
        .setPolicySettings(new TreeMap<>(spec.getPolicySettings()))
        .setSmoothing(new TreeMap<>(spec.getSmoothing()))
        .build();
  }

  /**
   * The entry of a log that a kept one becomes.
   *
   * @param of the run, by its name and id
   * @param streamTopicId Kafka's id of its stream's topic
   * @param at what it is based on
   * @param writer nonce of who proposes it
   */
  static ControlRecord placed(
      ControlRecord kept, Named of, String streamTopicId, LogPosition at, String writer, long now) {
    ControlRecord record =
        ControlRecord.newBuilder(kept)
            .setRunId(of.runId())
            .setSerial(at.serial() + 1)
            .setBasedOn(at.offset())
            .setBasedOnDigest(at.serial() < 0 ? Long.valueOf(EntryDigests.NOTHING) : at.digest())
            .setWriter(writer)
            .setTimeMillis(now)
            .build();
    if (record.getBody() instanceof RunStarted started) {
      started.setStreamTopicId(streamTopicId);
      started.getSpec().setRun(of.name());
    } else if (record.getBody() instanceof RunRevised revised) {
      revised.getSpec().setRun(of.name());
    }
    return record;
  }

  /** A run's name, and the id that it has. */
  record Named(String name, String runId) {}

  /**
   * What kept entries fold to, as the log of a run that is nowhere.
   *
   * @throws RuntimeException if they are no log of a run
   */
  static RunHistory history(List<ControlRecord> kept, String name) {
    Named of = new Named(name, name + ".bundle");
    Topics topics = new Topics("");
    String topic = topics.control(of.runId());
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    LogPosition at = LogPosition.start(of.runId());
    for (ControlRecord each : kept) {
      ControlRecord record = placed(each, of, "", at, "bundle", 0);
      byte[] value = ControlWire.encode(record, RunLog.OWN);
      long offset = records.size();
      records.add(new ConsumerRecord<>(topic, 0, offset, new byte[0], value));
      at =
          new LogPosition(
              of.runId(), record.getTimeline(), offset, offset, 0, EntryDigest.of(value));
    }
    RunHistory history =
        RunHistory.read(
            new RunLogs(new Records(topic, records), topics),
            new RunStart(of.runId(), name, topic, 0, 0));
    if (history.entries().size() != kept.size()) {
      throw new IllegalArgumentException(
          "entry " + history.entries().size() + " of its log does not follow from those before");
    }
    return history;
  }

  /** A log in memory. */
  private record Records(String topic, List<ConsumerRecord<byte[], byte[]>> records)
      implements LogSource {
    @Override
    public Set<String> topics(String prefix) {
      return topic.startsWith(prefix) ? Set.of(topic) : Set.of();
    }

    @Override
    public boolean exists(String name) {
      return name.equals(topic);
    }

    @Override
    public void heads(Collection<String> topics, Predicate<ConsumerRecord<byte[], byte[]>> found) {
      if (topics.contains(topic)) {
        var unused = records.stream().anyMatch(found);
      }
    }

    @Override
    public void read(String name, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
      readFrom(name, 0, reader);
    }

    @Override
    public void readFrom(
        String name, long offset, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
      if (exists(name)) {
        records.stream().filter(each -> each.offset() >= offset).forEach(reader);
      }
    }

    @Override
    public Optional<LogBeginning> before(String runId, long batch) {
      return Optional.empty();
    }
  }
}
