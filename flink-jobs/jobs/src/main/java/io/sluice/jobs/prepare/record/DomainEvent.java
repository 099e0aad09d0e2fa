package io.sluice.jobs.prepare.record;

/** What a corpus partition says about its domain, in order. */
public sealed interface DomainEvent {
  /** Name of the domain; events of one domain stay in order. */
  String domain();

  /**
   * A tokenized document.
   *
   * @param tokens ids of the dataset's token width, little-endian, without the end-of-document
   *     token; may be empty
   */
  @SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
  record TokenizedDocument(String domain, boolean heldOut, String id, byte[] tokens)
      implements DomainEvent {}

  /** No document follows. */
  record CorpusEnded(String domain) implements DomainEvent {}
}
