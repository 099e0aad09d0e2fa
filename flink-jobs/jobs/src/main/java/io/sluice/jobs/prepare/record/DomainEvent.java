package io.sluice.jobs.prepare.record;

/** What a corpus partition says about its domain, in order. */
public sealed interface DomainEvent {
  /** Name of the domain; events of one domain stay in order. */
  String domain();

  /**
   * A tokenized document.
   *
   * @param heldOut whether it is by the dataset's share
   * @param deciding hash of what of the text decides whether it is held out; 0 if nothing is
   * @param tokens ids of the dataset's token width, little-endian, without the end-of-document
   *     token; may be empty
   * @param counted lengths of runs of the tokens: that count in the loss, that do not, and so on;
   *     those after the last run do not; {@link #ALL} if all do
   */
  @SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
  record TokenizedDocument(
      String domain, boolean heldOut, long deciding, String id, byte[] tokens, int[] counted)
      implements DomainEvent {
    /** All tokens count. */
    public static final int[] ALL = {};
  }

  /** A record of the domain that is no usable document. */
  record DocumentRefused(String domain) implements DomainEvent {}

  /**
   * A range of a file of the domain that could not be read as it was when it was ingested.
   *
   * @param offset of the range in the corpus
   * @param records of the range, none of which is used
   * @param reason for people, which names the file
   */
  record RangeRefused(String domain, long offset, int records, String reason)
      implements DomainEvent {}

  /** No document follows. */
  record CorpusEnded(String domain) implements DomainEvent {}
}
