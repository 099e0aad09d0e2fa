package io.sluice.jobs.prepare.dataset;

import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.jobs.prepare.tokenizer.Vocabulary;
import io.sluice.schema.DatasetSpec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;

/**
 * Complete dataset specifications and their fingerprints.
 *
 * <p>The fingerprint is the first 64 bits of a SHA-256 over every setting that changes a block: the
 * version of the packing, the tokenizer's identity (for a file the digest of its content, not its
 * path), the vocabulary, the special tokens, the sequence length, the shuffle, the held-out share
 * and the lanes. What came with a later release is in it only where it is set, or where the rule or
 * version is not the first. The dataset's name and the list of domains are left out: neither
 * changes a block of a domain that stays, so a dataset may gain domains and keep its blocks. Where
 * shuffle buffers let documents go by time, blocks follow from when they did, too, which is known
 * by the dataset's name: then that is in the fingerprint. After how long they do is not, for what
 * happened is kept.
 */
public final class DatasetSpecs {
  private static final int PACKING_VERSION = 1;
  private static final int RELEASES_VERSION = 1;

  private DatasetSpecs() {}

  /**
   * The specification that follows from the settings.
   *
   * @throws IllegalArgumentException if the tokenizer is unknown or cannot be loaded
   */
  public static DatasetSpec resolve(DatasetSettings settings) {
    try (Tokenizer tokenizer = Tokenizers.forName(settings.tokens().tokenizer())) {
      Vocabulary vocabulary = tokenizer.vocabulary();
      DatasetSpec spec =
          DatasetSpec.newBuilder()
              .setName(settings.name())
              .setFingerprint(0)
              .setTokenizer(settings.tokens().tokenizer())
              .setTokenizerVersion(Tokenizers.newestVersion(settings.tokens().tokenizer()))
              .setVocabulary(vocabulary.size())
              .setTokenWidth(vocabulary.tokenWidth())
              .setEndOfDocument(vocabulary.endOfDocument())
              .setPadding(vocabulary.padding())
              .setSequenceLength(settings.packing().sequenceLength())
              .setPacking(settings.packing().mode())
              .setPackingWindow(settings.packing().window())
              .setPadDocumentsTo(settings.packing().padDocumentsTo())
              .setShuffleBuffer(settings.shuffle().buffer())
              .setSeed(settings.shuffle().seed())
              .setHeldOut(settings.heldOut().share())
              .setHeldOutTokens(settings.heldOut().tokens())
              .setHeldOutRule(settings.heldOut().rule())
              .setLanes(settings.lanes())
              .setDomains(settings.domains())
              .setShuffleWaitMillis(settings.shuffle().longestWait().toMillis())
              .build();
      spec.setFingerprint(fingerprint(spec, tokenizer.identity()));
      return spec;
    }
  }

  /**
   * The dataset by the rules that an earlier release chose for it when it was new, so that applying
   * its file again changes nothing.
   *
   * @param wanted what the settings give today
   */
  public static DatasetSpec withRulesOf(DatasetSpec existing, DatasetSpec wanted) {
    DatasetSpec kept =
        DatasetSpec.newBuilder(wanted).setHeldOutRule(existing.getHeldOutRule()).build();
    if (existing.getTokenizer().equals(wanted.getTokenizer())) {
      kept.setTokenizerVersion(existing.getTokenizerVersion());
    }
    if (kept.equals(wanted)) {
      return wanted;
    }
    try (Tokenizer tokenizer = named(kept)) {
      kept.setFingerprint(fingerprint(kept, tokenizer.identity()));
    }
    return kept;
  }

  /**
   * The specification's tokenizer, after checking that the specification is one that this version
   * makes: settings in range, and a fingerprint that this tokenizer gives.
   *
   * @throws IllegalArgumentException if not, saying what differs
   */
  public static Tokenizer tokenizer(DatasetSpec spec) {
    requireInRange(spec);
    Tokenizer tokenizer = named(spec);
    long fingerprint = fingerprint(spec, tokenizer.identity());
    if (fingerprint != spec.getFingerprint()) {
      tokenizer.close();
      throw new IllegalArgumentException(
          String.format(
              "dataset '%s' has fingerprint %016x, but its settings and the tokenizer '%s' as it is"
                  + " here give %016x: the tokenizer's file or the packing has changed",
              spec.getName(), spec.getFingerprint(), spec.getTokenizer(), fingerprint));
    }
    return tokenizer;
  }

  private static Tokenizer named(DatasetSpec spec) {
    return Tokenizers.forName(spec.getTokenizer(), spec.getTokenizerVersion());
  }

  private static void requireInRange(DatasetSpec spec) {
    new DatasetSettings(
        spec.getName(),
        spec.getDomains(),
        spec.getLanes(),
        new TokenSettings(spec.getTokenizer()),
        new PackingSettings(
            spec.getSequenceLength(),
            spec.getPacking(),
            spec.getPackingWindow(),
            spec.getPadDocumentsTo()),
        new ShuffleSettings(
            spec.getShuffleBuffer(),
            Duration.ofMillis(spec.getShuffleWaitMillis()),
            spec.getSeed()),
        new HeldOutSettings(spec.getHeldOut(), spec.getHeldOutTokens(), spec.getHeldOutRule()));
  }

  private static long fingerprint(DatasetSpec spec, String tokenizerIdentity) {
    String canonical =
        String.join(
            "\n",
            "packing=" + PACKING_VERSION,
            "tokenizer=" + tokenizerIdentity,
            "vocabulary=" + spec.getVocabulary(),
            "tokenWidth=" + spec.getTokenWidth(),
            "endOfDocument=" + spec.getEndOfDocument(),
            "padding=" + spec.getPadding(),
            "sequenceLength=" + spec.getSequenceLength(),
            "shuffleBuffer=" + spec.getShuffleBuffer(),
            "seed=" + spec.getSeed(),
            "heldOut=" + Double.doubleToLongBits(spec.getHeldOut()),
            "lanes=" + spec.getLanes());
    canonical += later(spec);
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What later releases added, where it is not as it was before. */
  private static String later(DatasetSpec spec) {
    StringBuilder later = new StringBuilder();
    if (spec.getTokenizerVersion() != 1) {
      later.append("\ntokenizerVersion=").append(spec.getTokenizerVersion());
    }
    if (!spec.getPacking().equals(PackingSettings.CONCAT)) {
      later.append("\npackingMode=").append(spec.getPacking());
      later.append("\npackingWindow=").append(spec.getPackingWindow());
    }
    if (spec.getPadDocumentsTo() > 1) {
      later.append("\npadDocumentsTo=").append(spec.getPadDocumentsTo());
    }
    if (spec.getHeldOutTokens() > 0) {
      later.append("\nheldOutTokens=").append(spec.getHeldOutTokens());
    }
    if (spec.getHeldOutRule() != HeldOutRule.OF_TEXT) {
      later.append("\nheldOutRule=").append(spec.getHeldOutRule());
    }
    if (spec.getShuffleWaitMillis() > 0) {
      later.append("\nreleases=" + RELEASES_VERSION + "\nname=").append(spec.getName());
    }
    return later.toString();
  }
}
