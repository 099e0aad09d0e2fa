package io.sluice.control.history;

import io.sluice.schema.EmissionWait;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunStatus;
import io.sluice.schema.SealingWait;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What the job says of all runs for people to read.
 *
 * @param runs the newest status of each run, by run id, in the order in which runs first appeared
 * @param waits by run id and lane: why granted batches are not emitted
 * @param sealing by dataset: why its blocks are not put into its store
 */
public record RunStatuses(
    Map<String, RunStatus> runs,
    Map<String, Map<Integer, String>> waits,
    Map<String, String> sealing) {
  /**
   * What a run waits for, or why it failed; '' for nothing.
   *
   * @param decides what its next grant waits for
   * @param emission by lane: why granted batches are not emitted
   */
  public static String waiting(String decides, Map<Integer, String> emission) {
    return decides.isEmpty()
        ? emission.entrySet().stream()
            .map(wait -> "lane " + wait.getKey() + " " + wait.getValue())
            .collect(Collectors.joining("; "))
        : decides;
  }

  /** As the status topic has it now. */
  public static RunStatuses read(KafkaAccess access) {
    Folding folding = new Folding();
    new TopicScan(access).read(List.of(access.topics().status()), folding::take);
    return folding.read();
  }

  /** As records of the status topic have it, in their order. */
  static RunStatuses of(List<ConsumerRecord<byte[], byte[]>> records) {
    Folding folding = new Folding();
    records.forEach(folding::take);
    return folding.read();
  }

  /** The statuses as far as their topic is read. */
  public static final class Folding {
    private final Map<String, RunStatus> runs = new LinkedHashMap<>();
    private final Map<String, EmissionWait> waits = new TreeMap<>();
    private final Map<String, SealingWait> sealing = new TreeMap<>();

    /** Takes the next record; one that nobody can read says nothing. */
    public void take(ConsumerRecord<byte[], byte[]> message) {
      String key = message.key() == null ? "" : new String(message.key(), StandardCharsets.UTF_8);
      if (message.value() == null) {
        waits.remove(key);
        sealing.remove(key);
        return;
      }
      try {
        SpecificRecordBase record = WireCodec.decode(message.value());
        if (record instanceof RunStatus status) {
          runs.put(status.getRunId(), status);
        } else if (record instanceof EmissionWait wait) {
          waits.put(key, wait);
        } else if (record instanceof SealingWait wait) {
          sealing.put(key, wait);
        }
      } catch (WireFormatException e) {
        return;
      }
    }

    /** What was read. */
    public RunStatuses read() {
      Map<String, Map<Integer, String>> byRun = new TreeMap<>();
      for (EmissionWait wait : waits.values()) {
        byRun
            .computeIfAbsent(wait.getRunId(), run -> new TreeMap<>())
            .put(wait.getLane(), wait.getWaiting());
      }
      Map<String, String> byDataset = new TreeMap<>();
      sealing.values().forEach(wait -> byDataset.put(wait.getDataset(), wait.getWaiting()));
      return new RunStatuses(new LinkedHashMap<>(runs), byRun, byDataset);
    }
  }
}
