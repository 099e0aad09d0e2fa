package io.sluice.corpus.document;

import java.util.List;
import java.util.stream.Stream;

/**
 * What an ingestion did; every file and line is in one of the counts.
 *
 * @param documents documents that were written; by reference, records of files, of which some may
 *     be none
 * @param bytes UTF-8 bytes of their texts; by reference, bytes of the records
 * @param files files that were read
 * @param deadLetters files and lines that were refused
 * @param skippedHidden files and folders below a folder whose name starts with '.'
 * @param skippedIgnored files and folders that a {@code .gitignore} file leaves out, and where
 *     token ids are read, files below a folder that are not named like files of these
 * @param skippedBinary files below a folder with a NUL byte in their first 8 KiB
 * @param skippedEmpty files and lines with nothing but white space
 * @param ofOthers lines and rows of which other domains tell
 * @param known files, lines and rows that had been ingested before
 * @param givenUp files that were not read on: of which nothing could be used so far, that could not
 *     be read to their ends, or that were changed since they were ingested
 * @param referred of the documents, records of files
 * @param ranges of files that were written in place of documents
 * @param ended whether the domain was marked as ended
 * @param firstRefusals place and reason of the first refusals, at most 5
 */
public record IngestReport(
    long documents,
    long bytes,
    long files,
    long deadLetters,
    long skippedHidden,
    long skippedIgnored,
    long skippedBinary,
    long skippedEmpty,
    long ofOthers,
    long known,
    long givenUp,
    long referred,
    long ranges,
    boolean ended,
    List<String> firstRefusals) {
  /** Nothing was done. */
  public static final IngestReport NOTHING =
      new IngestReport(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, List.of());

  /** Copies the list. */
  public IngestReport {
    firstRefusals = List.copyOf(firstRefusals);
  }

  /** What two did; that a domain was marked as ended is not told. */
  public IngestReport and(IngestReport other) {
    return new IngestReport(
        documents + other.documents,
        bytes + other.bytes,
        files + other.files,
        deadLetters + other.deadLetters,
        skippedHidden + other.skippedHidden,
        skippedIgnored + other.skippedIgnored,
        skippedBinary + other.skippedBinary,
        skippedEmpty + other.skippedEmpty,
        ofOthers + other.ofOthers,
        known + other.known,
        givenUp + other.givenUp,
        referred + other.referred,
        ranges + other.ranges,
        false,
        Stream.concat(firstRefusals.stream(), other.firstRefusals.stream()).limit(5).toList());
  }

  /** The same of a domain that was marked as ended afterwards. */
  public IngestReport withEnd() {
    return new IngestReport(
        documents,
        bytes,
        files,
        deadLetters,
        skippedHidden,
        skippedIgnored,
        skippedBinary,
        skippedEmpty,
        ofOthers,
        known,
        givenUp,
        referred,
        ranges,
        true,
        firstRefusals);
  }
}
