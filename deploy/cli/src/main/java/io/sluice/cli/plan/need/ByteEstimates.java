package io.sluice.cli.plan.need;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.Topics;
import io.sluice.schema.run.Delivery;
import io.sluice.schema.segment.InPlace;
import io.sluice.schema.segment.RowFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that topics come to have, each once, whatever copies the brokers keep. Topics that are
 * small beside blocks, such as logs and tables, are not estimated.
 *
 * @param topics their names
 */
public record ByteEstimates(Topics topics) {
  /** Bytes of a token's text, where the tokenizer is not the one of bytes. */
  private static final int TEXT = 4;

  /** What somebody who plans must know of the numbers. */
  public static final List<String> ASSUMPTIONS =
      List.of(
          "blocks and streams: sequences of the dataset's length and token width, as they are"
              + " encoded, with documents of "
              + RecordBytes.DOCUMENT
              + " tokens and ids of "
              + RecordBytes.ID
              + " characters; shorter documents or longer ids take more",
          "corpora: 1 byte of text a token with the tokenizer bytes, "
              + TEXT
              + " with any other, held-out documents included; they are kept compressed, and take"
              + " less",
          "evaluation sets: the share held-out of the documents, or held-out-tokens where that is"
              + " more",
          "what is prepared already is counted as the supply has it; of a domain that has ended it"
              + " is all",
          "logs, tables, feedback and what refineries write are not estimated; a stream that is"
              + " reclaimed keeps less");

  /**
   * Estimates by the names of a dataset's topics.
   *
   * @param supply what is prepared of its domains, by name; empty where nobody can be asked
   */
  public Map<String, Long> dataset(DatasetSpec spec, Demand demand, Map<String, Supply> supply) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    RecordBytes record = RecordBytes.of(spec);
    long lineage = 0;
    boolean known = true;
    for (String domain : spec.getDomains()) {
      OptionalLong wanted = demand.of(domain);
      Supply there = supply.get(domain);
      if (InPlace.domains(spec).contains(domain)) {
        bytes.put(topics.corpus(domain), 0L);
        bytes.put(topics.blocks(spec.getName(), domain), 0L);
        known = false;
        continue;
      }
      OptionalLong blocks = blocks(spec, wanted, there);
      if (blocks.isEmpty()) {
        known = false;
        continue;
      }
      long tokens = Counts.product(blocks.getAsLong(), spec.getSequenceLength());
      long heldOut = heldOut(spec, tokens, there);
      bytes.put(
          topics.corpus(domain),
          Counts.product(tokens + heldOut * spec.getSequenceLength(), textBytes(spec)));
      bytes.put(
          topics.blocks(spec.getName(), domain),
          Counts.product(blocks.getAsLong(), record.block()));
      bytes.put(topics.eval(spec.getName(), domain), Counts.product(heldOut, record.block()));
      lineage += Counts.product(blocks.getAsLong() + heldOut, record.lineage());
    }
    if (known && record.lineage() > 0) {
      bytes.put(topics.lineage(spec.getName()), lineage);
    }
    return bytes;
  }

  /** Training blocks of a domain; empty if nobody knows how many there will be. */
  private static OptionalLong blocks(
      DatasetSpec spec, OptionalLong wanted, @Nullable Supply there) {
    if (there != null && there.getEnded()) {
      return OptionalLong.of(there.getBlocks());
    }
    if (wanted.isEmpty()) {
      return OptionalLong.empty();
    }
    long asked = Counts.parts(wanted.getAsLong(), spec.getSequenceLength());
    return OptionalLong.of(there == null ? asked : Math.max(asked, there.getBlocks()));
  }

  /** Held-out blocks of a domain with so many tokens for training. */
  private static long heldOut(DatasetSpec spec, long tokens, @Nullable Supply there) {
    if (there != null && there.getEnded()) {
      return there.getEvalBlocks();
    }
    double share = tokens * spec.getHeldOut() / (1 - spec.getHeldOut());
    double most = Math.max(share, spec.getHeldOutTokens());
    long asked = (long) Math.ceil(most / spec.getSequenceLength());
    return there == null ? asked : Math.max(asked, there.getEvalBlocks());
  }

  /** Held-out tokens of all of a dataset's domains; empty if nobody knows. */
  public static OptionalLong heldOutTokens(
      DatasetSpec spec, Demand demand, Map<String, Supply> supply) {
    long blocks = 0;
    for (String domain : spec.getDomains()) {
      OptionalLong training = blocks(spec, demand.of(domain), supply.get(domain));
      if (training.isEmpty()) {
        return OptionalLong.empty();
      }
      long tokens = Counts.product(training.getAsLong(), spec.getSequenceLength());
      blocks += heldOut(spec, tokens, supply.get(domain));
    }
    return OptionalLong.of(Counts.product(blocks, spec.getSequenceLength()));
  }

  /** Bytes of text behind a token. */
  public static int textBytes(DatasetSpec spec) {
    return spec.getTokenizer().equals("bytes") ? 1 : TEXT;
  }

  /** Bytes of a run's stream; empty if it has none, or no end. */
  public static OptionalLong stream(PlannedRun run, DatasetSpec dataset) {
    RunSpec spec = run.spec();
    return Delivery.isDerived(spec) || run.sequences().isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(
            Counts.product(run.sequences().getAsLong(), RecordBytes.of(dataset).streamed()));
  }

  /** Bytes of rows in a dataset's store; empty if it has none, or nobody knows how many. */
  public static OptionalLong store(DatasetSpec spec, Demand demand, Map<String, Supply> supply) {
    if (spec.getStore().isEmpty()) {
      return OptionalLong.empty();
    }
    long rows = 0;
    for (String domain : InPlace.without(spec).getDomains()) {
      OptionalLong blocks = blocks(spec, demand.of(domain), supply.get(domain));
      if (blocks.isEmpty()) {
        return blocks;
      }
      rows += blocks.getAsLong();
    }
    return OptionalLong.of(Counts.product(rows, RowFormat.of(spec).stride()));
  }
}
