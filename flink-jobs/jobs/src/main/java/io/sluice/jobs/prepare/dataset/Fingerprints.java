package io.sluice.jobs.prepare.dataset;

import io.sluice.jobs.prepare.tokenizer.Vocabulary;
import io.sluice.schema.DatasetSpec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Fingerprints of datasets.
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
final class Fingerprints {
  private static final int PACKING_VERSION = 1;
  private static final int RELEASES_VERSION = 1;

  private Fingerprints() {}

  /**
   * The specification's fingerprint; the one that it has is not looked at.
   *
   * @param tokenizerIdentity what the tokenizer says of itself
   */
  static long of(DatasetSpec spec, String tokenizerIdentity) {
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
    if (spec.getBeginOfDocument() != Vocabulary.NONE) {
      later.append("\nbeginOfDocument=").append(spec.getBeginOfDocument());
    }
    if (!spec.getPacking().equals(PackingSettings.CONCAT)) {
      later.append("\npackingMode=").append(spec.getPacking());
      later.append("\npackingWindow=").append(spec.getPackingWindow());
    }
    if (spec.getPadDocumentsTo() > 1) {
      later.append("\npadDocumentsTo=").append(spec.getPadDocumentsTo());
    }
    if (!spec.getDocumentIds().equals(PackingSettings.NAMES)) {
      later.append("\ndocumentIds=").append(spec.getDocumentIds());
    }
    if (spec.getFimRate() > 0) {
      later.append("\nfimRate=").append(Double.doubleToLongBits(spec.getFimRate()));
      later.append("\nfimSpm=").append(Double.doubleToLongBits(spec.getFimSpm()));
      for (int token : spec.getFimTokens()) {
        later.append("\nfimToken=").append(token);
      }
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
