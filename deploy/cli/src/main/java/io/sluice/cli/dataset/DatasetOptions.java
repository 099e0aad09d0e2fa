package io.sluice.cli.dataset;

import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Durations;
import io.sluice.control.config.Option;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import java.time.Duration;
import java.util.List;

/** Every key of {@code dataset.yaml}. */
public final class DatasetOptions {
  /** All documents of a domain are drawn from. */
  static final String GLOBAL = "global";

  static final Option<String> DATASET =
      Option.text(
          "dataset",
          "1 to 63 letters, digits, '-' and '_'",
          "small",
          "Name of the dataset, and of its topics.");

  static final Option<String> TOKENIZER =
      new Option<>(
          "tokenizer",
          "text",
          "bytes, r50k_base, cl100k_base, o200k_base, file:PATH of a tokenizer.json, or"
              + " hf:ORG/NAME@REVISION in this machine's Hugging Face cache",
          "bytes",
          "cl100k_base",
          "What makes tokens of text.",
          (section, key) -> section.text(key, "bytes"));

  static final Option<String> BOS =
      new Option<>(
          "bos",
          "text",
          "a control token of the tokenizer.json, or none",
          "as the file says",
          "none",
          "What stands before each document.",
          (section, key) -> section.text(key, ""));

  static final Option<String> EOS =
      new Option<>(
          "eos",
          "text",
          "a control token of the tokenizer.json",
          "as the file says",
          "<|endoftext|>",
          "What stands behind each document.",
          (section, key) -> section.text(key, ""));

  static final Option<Long> SEQUENCE_LENGTH =
      Option.count(
          "sequence-length",
          "tokens",
          1,
          PackingSettings.LONGEST_SEQUENCE,
          null,
          "2048 tokens",
          "Tokens of a training sequence; a block has one more.");

  static final Option<String> PACKING =
      choice(
          "packing",
          PackingSettings.MODES,
          PackingSettings.BEST_FIT,
          "Documents follow each other and are cut where a block is full; or each goes into the block"
              + " that it fits best, and only one that is longer than a block is cut.");

  static final Option<Long> PACKING_WINDOW =
      new Option<>(
          "packing-window",
          "whole number of blocks",
          "1 to " + PackingSettings.LARGEST_WINDOW,
          "64 with best-fit",
          "64 blocks",
          "Open blocks of a domain among which best-fit looks for a document's place.",
          (section, key) -> section.count(key, "blocks", 1, PackingSettings.LARGEST_WINDOW, 0));

  static final Option<Long> PAD_DOCUMENTS_TO =
      Option.count(
          "pad-documents-to",
          "tokens",
          1,
          PackingSettings.LONGEST_SEQUENCE,
          1L,
          "16 tokens",
          "Each document is padded to a multiple of so many tokens, which must divide the sequence"
              + " length.");

  static final Option<String> DOCUMENT_IDS =
      choice(
          "document-ids",
          PackingSettings.DOCUMENT_IDS,
          PackingSettings.HASHES,
          "What blocks have of their documents: the ids, or hashes of them, with the ids beside the"
              + " blocks for 'sluice lineage'. A dataset that exists keeps what it has.");

  static final Option<Double> FIM_RATE =
      new Option<>(
          "fim-rate",
          "number",
          "0 to 1",
          "0",
          "0.5",
          "Share of the documents that are learnt with a gap: the middle goes to the end.",
          (section, key) -> section.number(key, 0, 1, 0));

  static final Option<Double> FIM_SPM =
      new Option<>(
          "fim-spm",
          "number",
          "0 to 1",
          "0",
          "0.5",
          "Share of those whose suffix comes before the prefix.",
          (section, key) -> section.number(key, 0, 1, 0));

  static final Option<List<String>> FIM_TOKENS =
      new Option<>(
          "fim-tokens",
          "list of token ids",
          "three, with a fim-rate",
          "none",
          "[100258, 100260, 100259]",
          "What comes before prefix, suffix and middle.",
          (section, key) -> section.has(key) ? section.texts(key) : List.of());

  static final Option<String> SHUFFLE =
      Option.oneOf(
          "shuffle",
          List.of(GLOBAL, "buffer"),
          "buffer",
          "From which documents of a domain the next is drawn: those in a buffer, as they come; or"
              + " all of them, once the domain has ended.");

  static final Option<Long> SHUFFLE_BUFFER =
      Option.count(
          "shuffle-buffer",
          "documents",
          1,
          ShuffleSettings.LARGEST_BUFFER,
          10_000L,
          "10000 documents",
          "Documents of a domain among which the next is drawn.");

  static final Option<Duration> SHUFFLE_WAIT =
      new Option<>(
          "shuffle-wait",
          "time",
          Durations.format(ShuffleSettings.SHORTEST_WAIT)
              + " to "
              + Durations.format(ShuffleSettings.LONGEST_WAIT),
          "never",
          "30s",
          "How long documents wait for the shuffle buffer to fill; unless as many come meanwhile as"
              + " it holds, all in it go.",
          (section, key) ->
              section.duration(
                  key, ShuffleSettings.SHORTEST_WAIT, ShuffleSettings.LONGEST_WAIT, Duration.ZERO));

  static final Option<Double> HELD_OUT =
      new Option<>(
          "held-out",
          "number",
          "0 to below 1",
          "0.01",
          "0.01",
          "Share of the documents that are kept for evaluation.",
          (section, key) -> section.share(key, 0.01));

  static final Option<Long> HELD_OUT_TOKENS =
      Option.count(
          "held-out-tokens",
          "tokens",
          0,
          HeldOutSettings.MOST_TOKENS,
          0L,
          "64k tokens",
          "Tokens of each domain that are kept for evaluation at least: until then, every second of"
              + " its documents is.");

  static final Option<Long> SEED =
      Option.count(
          "seed",
          "",
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          0L,
          "7",
          "Of the order of documents, and of which are held out.");

  static final Option<List<String>> DOMAINS =
      new Option<>(
          "domains",
          "list of texts",
          "at least one name",
          "",
          "[wiki, code]",
          "The sources of documents, each with a topic of its own.",
          ConfigSection::texts);

  static final Option<Long> LANES =
      Option.count(
          "lanes",
          "",
          1,
          DatasetSettings.MOST_LANES,
          1L,
          "2",
          "Parts of each domain that are read side by side.");

  static final Option<List<ConfigSection>> SOURCES =
      new Option<>(
          "sources",
          "list of maps",
          "at most " + DatasetSources.MOST + " sources",
          "none",
          "[{path: wiki/, domain: wiki}]",
          "Where ingest --dataset finds the documents: not in the fingerprint, and may be changed.",
          (section, key) -> section.has(key) ? section.sections(key) : List.of());

  static final Option<String> STORE =
      new Option<>(
          "store",
          "text",
          "file:///ABSOLUTE/PATH or s3://BUCKET/PREFIX",
          "none",
          "file:///data/segments",
          "Where blocks are put as files, too, which runs with delivery: derived need: a folder that"
              + " the service and all trainers have, or a bucket, with the AWS SDK's settings, which"
              + " trainers read through 'sluice cache'. Not in the fingerprint, and may be changed.",
          (section, key) -> section.text(key, ""));

  /** In the order in which people write them. */
  public static final List<Option<?>> ALL =
      List.of(
          DATASET,
          TOKENIZER,
          BOS,
          EOS,
          SEQUENCE_LENGTH,
          PACKING,
          PACKING_WINDOW,
          PAD_DOCUMENTS_TO,
          DOCUMENT_IDS,
          FIM_RATE,
          FIM_SPM,
          FIM_TOKENS,
          SHUFFLE,
          SHUFFLE_BUFFER,
          SHUFFLE_WAIT,
          HELD_OUT,
          HELD_OUT_TOKENS,
          SEED,
          DOMAINS,
          LANES,
          SOURCES,
          STORE);

  private DatasetOptions() {}

  /** One of several texts, by default the first. */
  private static Option<String> choice(
      String key, List<String> allowed, String example, String meaning) {
    String usual = allowed.get(0);
    return new Option<>(
        key,
        "text",
        String.join(" or ", allowed),
        usual,
        example,
        meaning,
        (section, of) -> section.oneOf(of, usual, allowed));
  }
}
