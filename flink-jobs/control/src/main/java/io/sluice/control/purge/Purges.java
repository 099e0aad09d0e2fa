package io.sluice.control.purge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.RecordWriter;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.PreparingStopped;
import io.sluice.schema.Purge;
import io.sluice.schema.PurgedTopic;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of purges: the one that is under way, and whose jobs have stopped for it, or since
 * their dataset was deleted. Every method throws {@link KafkaUnreachableException} when no broker
 * answers in time.
 */
public record Purges(KafkaAccess access) {
  /** Phase in which what stays is copied beside each topic. */
  public static final String COPYING = "copying";

  /** Phase in which the topics are replaced by their copies. */
  public static final String REPLACING = "replacing";

  /** Phase of a purge for which nobody waits any more. */
  public static final String DONE = "done";

  private static final Logger LOG = LoggerFactory.getLogger(Purges.class);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final String STOPPED = "stopped/";
  private static final String REFINERY = "refinery/";

  /** In the place of a purge's id, where a dataset was deleted. */
  private static final String DELETION = "";

  /** The purge that has begun and not ended; empty if there is none, or no table. */
  public Optional<Purge> open() {
    return purges().filter(purge -> !purge.getPhase().equals(DONE)).findFirst();
  }

  /** Kafka's ids of the topics that were replaced under a name; what was said of them holds. */
  public Set<String> earlierIds(String topic) {
    return purges()
        .flatMap(purge -> purge.getTopics().stream())
        .filter(each -> each.getTopic().equals(topic) && each.getReplaced())
        .map(PurgedTopic::getTopicId)
        .collect(Collectors.toSet());
  }

  private Stream<Purge> purges() {
    return read().values().stream().filter(Purge.class::isInstance).map(Purge.class::cast);
  }

  /** The datasets whose jobs have stopped for a purge. */
  public Set<String> stoppedFor(Purge purge) {
    return read().values().stream()
        .filter(PreparingStopped.class::isInstance)
        .map(PreparingStopped.class::cast)
        .filter(said -> said.getPurge().equals(purge.getId()))
        .map(PreparingStopped::getDataset)
        .collect(Collectors.toSet());
  }

  /** Says how far a purge is; returns once the broker has it. The table must exist. */
  public void say(Purge purge) {
    RecordWriter.write(access, access.topics().purges(), purge.getId(), purge, PATIENCE);
  }

  /** Says that no job of a dataset runs until the purge is done. */
  public void sayStopped(Purge purge, String dataset) {
    PreparingStopped stopped = new PreparingStopped(purge.getId(), dataset);
    RecordWriter.write(access, access.topics().purges(), STOPPED + dataset, stopped, PATIENCE);
  }

  /** The key of a refinery among those of datasets, whose names have no slash. */
  public static String ofRefinery(String name) {
    return REFINERY + name;
  }

  /** Says that no job of a dataset, or a {@link #ofRefinery refinery}, that was deleted runs. */
  public void sayLeft(String key) {
    PreparingStopped left = new PreparingStopped(DELETION, key);
    RecordWriter.write(access, access.topics().purges(), STOPPED + key, left, PATIENCE);
  }

  /** Whether somebody has {@link #sayLeft said so} since that was asked for. */
  public boolean hasLeft(String key) {
    return read().get(STOPPED + key) instanceof PreparingStopped said
        && said.getPurge().equals(DELETION);
  }

  /** Forgets what was said of what is about to be deleted. The table must exist. */
  public void askToLeave(String key) {
    RecordWriter.delete(access, access.topics().purges(), STOPPED + key, PATIENCE);
  }

  /**
   * Checks that no purge holds a domain.
   *
   * @throws BadInputException if one does, with what to do
   */
  public void requireDomain(String domain) {
    require("domain", domain, open().filter(purge -> purge.getDomains().contains(domain)));
  }

  /**
   * Checks that no purge holds a dataset.
   *
   * @throws BadInputException if one does, with what to do
   */
  public void requireDataset(String dataset) {
    require("dataset", dataset, open().filter(purge -> purge.getDatasets().contains(dataset)));
  }

  /** That documents of some of these domains are being purged, for people; empty if none are. */
  public Optional<String> note(Collection<String> domains) {
    return note(open().filter(purge -> !Collections.disjoint(purge.getDomains(), domains)));
  }

  /** That documents are being purged, for people; empty if none are. */
  public Optional<String> note() {
    return note(open());
  }

  private static Optional<String> note(Optional<Purge> open) {
    return open.map(
        purge ->
            "documents of domains "
                + purge.getDomains()
                + " are being purged (%s, as of %s): until that is done they are not prepared, and what is"
                    .formatted(purge.getPhase(), Instant.ofEpochMilli(purge.getTimeMillis()))
                + " said of them may not be whole; where it was broken off, 'sluice forget --purge'"
                + " with the same file goes on with it");
  }

  private static void require(String what, String name, Optional<Purge> purge) {
    purge.ifPresent(
        open -> {
          throw new BadInputException(
              "documents of "
                  + what
                  + " '"
                  + name
                  + "' are being purged: wait for its end, or, where it was broken off, go on with"
                  + " it by 'sluice forget --purge' with the same file");
        });
  }

  private Map<String, SpecificRecordBase> read() {
    Map<String, SpecificRecordBase> said = new HashMap<>();
    try (TopicReader reader = TopicReader.uncommitted(access)) {
      reader.catchUp(access.topics().purges(), PATIENCE, message -> take(message, said));
    }
    return said;
  }

  private static void take(
      ConsumerRecord<byte[], byte[]> message, Map<String, SpecificRecordBase> said) {
    try {
      if (message.key() != null && message.value() != null) {
        said.put(new String(message.key(), UTF_8), WireCodec.decode(message.value()));
      } else if (message.key() != null) {
        said.remove(new String(message.key(), UTF_8));
      }
    } catch (WireFormatException e) {
      LOG.warn("offset {} of the purges is passed over: {}", message.offset(), e.getMessage());
    }
  }
}
