package io.sluice.jobs.prepare.dataset;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.set.IdHash;
import java.util.List;

/**
 * How documents become blocks.
 *
 * @param sequenceLength labels in a block, in [1, 131072]
 * @param mode {@link #CONCAT} or {@link #BEST_FIT}
 * @param window open blocks among which best fit looks for a document's place, in [1, 1024], and at
 *     most {@value #MOST_OPEN_TOKENS} labels in all; 0 if documents are concatenated
 * @param padDocumentsTo each document is padded to a multiple of so many tokens, a divisor of the
 *     sequence length; 1 for none
 * @param documentIds {@link #NAMES} or {@link #HASHES}
 */
public record PackingSettings(
    int sequenceLength, String mode, int window, int padDocumentsTo, String documentIds) {
  /** Most labels in a block. */
  public static final int LONGEST_SEQUENCE = 1 << 17;

  /** Documents follow each other, and are cut where a block is full. */
  public static final String CONCAT = "concat";

  /** A document is cut only where it is longer than a block. */
  public static final String BEST_FIT = "best-fit";

  /** What {@code mode} may be. */
  public static final List<String> MODES = List.of(CONCAT, BEST_FIT);

  /** Blocks carry the ids of their documents. */
  public static final String NAMES = IdHash.NAMES;

  /** Blocks carry hashes of the ids, and the ids are lineage beside them. */
  public static final String HASHES = IdHash.HASHES;

  /** What {@code documentIds} may be. */
  public static final List<String> DOCUMENT_IDS = IdHash.DOCUMENT_IDS;

  /** Most open blocks of a domain. */
  public static final int LARGEST_WINDOW = 1024;

  /** Most labels of a domain's open blocks together. */
  public static final int MOST_OPEN_TOKENS = 1 << 23;

  /**
   * Checks every range.
   *
   * @throws IllegalArgumentException with the setting's key, its range and the value
   */
  public PackingSettings {
    Ranges.require("sequence-length", sequenceLength, LONGEST_SEQUENCE);
    if (!MODES.contains(mode)) {
      throw new IllegalArgumentException("packing must be one of " + MODES + ": found " + mode);
    }
    requireWindow(sequenceLength, mode, window);
    if (padDocumentsTo < 1 || sequenceLength % padDocumentsTo != 0) {
      throw new IllegalArgumentException(
          "pad-documents-to must divide sequence-length, "
              + sequenceLength
              + ": found "
              + padDocumentsTo);
    }
    if (!DOCUMENT_IDS.contains(documentIds)) {
      throw new IllegalArgumentException(
          "document-ids must be one of " + DOCUMENT_IDS + ": found " + documentIds);
    }
  }

  /** Blocks that carry the ids of their documents. */
  public PackingSettings(int sequenceLength, String mode, int window, int padDocumentsTo) {
    this(sequenceLength, mode, window, padDocumentsTo, NAMES);
  }

  /** Documents that are concatenated. */
  public PackingSettings(int sequenceLength) {
    this(sequenceLength, CONCAT, 0, 1);
  }

  /** Whether the blocks of a dataset carry hashes of ids. */
  public static boolean hashes(DatasetSpec spec) {
    return IdHash.in(spec.getDocumentIds());
  }

  private static void requireWindow(int sequenceLength, String mode, int window) {
    if (mode.equals(CONCAT)) {
      if (window != 0) {
        throw new IllegalArgumentException(
            "packing-window is for packing: best-fit alone: found " + window);
      }
      return;
    }
    Ranges.require("packing-window", window, LARGEST_WINDOW);
    if ((long) window * sequenceLength > MOST_OPEN_TOKENS) {
      throw new IllegalArgumentException(
          "packing-window times sequence-length must be at most "
              + MOST_OPEN_TOKENS
              + ": found "
              + (long) window * sequenceLength);
    }
  }
}
