package io.sluice.jobs.prepare.shuffle;

import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.schema.DatasetSpec;
import java.util.Optional;

/** Hands a domain's training documents back in an order that follows from the seed. */
public sealed interface Shuffle permits ShuffleBuffer, GlobalShuffle {
  /** Where documents are kept; one read and one write for each document. */
  interface Slots {
    byte[] get(int slot);

    void put(int slot, byte[] document);

    void remove(int slot);
  }

  /**
   * The dataset's, which goes on where another stopped; 0 and 0 for a new one.
   *
   * @param slots hold {@code size} documents
   */
  static Shuffle of(DatasetSpec spec, String domain, Slots slots, int size, long picks) {
    return spec.getShuffleBuffer() == ShuffleSettings.GLOBAL
        ? new GlobalShuffle(spec, domain, slots, size, picks)
        : new ShuffleBuffer(spec, domain, slots, size, picks);
  }

  /** Documents that wait. */
  int size();

  /** Documents that were drawn. */
  long picks();

  /** Documents that ever came in. */
  default long entered() {
    return picks() + size();
  }

  /** Takes a document in, and may give one back. */
  Optional<byte[]> exchange(byte[] document);

  /** Gives back one of the documents that are left; empty when none is. */
  Optional<byte[]> drain();
}
