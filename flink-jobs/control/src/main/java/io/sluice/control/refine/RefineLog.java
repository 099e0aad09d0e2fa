package io.sluice.control.refine;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineRound;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a refinery has decided, as it is committed.
 *
 * @param refinery its name
 */
public record RefineLog(KafkaAccess access, String refinery) {
  private static final Logger LOG = LoggerFactory.getLogger(RefineLog.class);

  /** Records behind the last progress are few: it ends each transaction. */
  private static final long FIRST_LOOK = 16;

  /**
   * The rounds from a number on, by their numbers, once every transaction that was begun so far has
   * ended.
   *
   * @throws IllegalStateException if one does not within the patience
   */
  public Map<Long, RefineRound> rounds(long first, Duration patience) {
    Map<Long, RefineRound> rounds = new TreeMap<>();
    settled(
        0,
        patience,
        said -> {
          if (said instanceof RefineRound round && round.getRound() >= first) {
            rounds.putIfAbsent(round.getRound(), round);
          }
        });
    return rounds;
  }

  /**
   * The last progress, once every transaction that was begun so far has ended; empty if there is
   * none.
   *
   * @throws IllegalStateException if one does not within the patience
   */
  public Optional<RefineProgress> settledProgress(Duration patience) {
    return lastProgress(patience, this::settled);
  }

  /**
   * The last progress that is committed now; empty if there is none.
   *
   * @throws KafkaUnreachableException if no broker answers
   */
  public Optional<RefineProgress> progress(Duration patience) {
    return lastProgress(patience, this::read);
  }

  /**
   * Hands on everything that is committed now, in its order.
   *
   * @throws KafkaUnreachableException if no broker answers
   */
  public void read(Duration patience, Consumer<SpecificRecordBase> said) {
    read(0, patience, said);
  }

  private interface Reading {
    void from(long offset, Duration patience, Consumer<SpecificRecordBase> said);
  }

  private Optional<RefineProgress> lastProgress(Duration patience, Reading reading) {
    long end = end(patience);
    for (long back = FIRST_LOOK; ; back *= 16) {
      RefineProgress[] last = {null};
      reading.from(
          Math.max(0, end - back),
          patience,
          said -> {
            if (said instanceof RefineProgress progress) {
              last[0] = progress;
            }
          });
      if (last[0] != null || back >= end) {
        return Optional.ofNullable(last[0]);
      }
    }
  }

  private TopicPartition place() {
    return new TopicPartition(access.topics().refined(refinery), 0);
  }

  private long end(Duration patience) {
    try (TopicReader written = TopicReader.uncommitted(access)) {
      return written.ends(List.of(place()), patience).getOrDefault(place(), 0L);
    }
  }

  private void read(long from, Duration patience, Consumer<SpecificRecordBase> said) {
    try (TopicReader committed = TopicReader.committed(access)) {
      Map<TopicPartition, Long> ends = committed.ends(List.of(place()), patience);
      readTo(committed, from, ends, patience, said);
    }
  }

  private void settled(long from, Duration patience, Consumer<SpecificRecordBase> said) {
    try (TopicReader written = TopicReader.uncommitted(access);
        TopicReader committed = TopicReader.committed(access)) {
      readTo(committed, from, written.ends(List.of(place()), patience), patience, said);
    } catch (KafkaUnreachableException e) {
      throw new IllegalStateException(
          place().topic()
              + " cannot be read to its end, or an open transaction of an earlier execution is in"
              + " the way: "
              + e.getMessage(),
          e);
    }
  }

  private void readTo(
      TopicReader reader,
      long from,
      Map<TopicPartition, Long> ends,
      Duration patience,
      Consumer<SpecificRecordBase> said) {
    if (ends.values().stream().allMatch(end -> end <= from)) {
      return;
    }
    reader.seek(place().topic(), from);
    reader.readTo(
        ends,
        patience,
        message -> {
          try {
            said.accept(WireCodec.decode(message.value()));
          } catch (WireFormatException e) {
            LOG.warn("{}: ignored a record: {}", place().topic(), e.getMessage());
          }
        });
  }
}
