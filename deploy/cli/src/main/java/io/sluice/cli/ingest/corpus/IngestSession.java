package io.sluice.cli.ingest.corpus;

import io.sluice.control.error.BadInputException;
import io.sluice.control.purge.Purges;
import io.sluice.corpus.range.FileRange;
import io.sluice.schema.IngestProgress;
import io.sluice.schema.IngestedFile;
import io.sluice.schema.KafkaAccess;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The only ingest of files into a domain, while it lasts: knows how far files are in the corpus,
 * and says how far they come. It says so behind the documents; what came of a process that ended in
 * between is found in the corpus itself, from where the table says that it knows no more.
 */
final class IngestSession {
  private final CorpusWriter writer;
  private final String domain;
  private final String corpus;
  private final IngestClaim claim;
  private final IngestedFiles known;
  private final String folder;
  private IngestProgress said;
  private long referred;

  private IngestSession(
      CorpusWriter writer,
      String domain,
      String corpus,
      IngestClaim claim,
      IngestedFiles known,
      String folder) {
    this.writer = writer;
    this.domain = domain;
    this.corpus = corpus;
    this.claim = claim;
    this.known = known;
    this.folder = folder;
    this.said = progress();
  }

  /**
   * Begins one, and says what came of one that ended early.
   *
   * @param folder what the origins of its documents are relative to
   * @param corpus Kafka's id of the domain's corpus topic
   * @param takeOver believe that whoever is at it on another machine has ended
   * @throws BadInputException if another is under way, or a purge
   */
  static IngestSession begin(
      KafkaAccess access,
      CorpusWriter writer,
      String domain,
      String corpus,
      boolean takeOver,
      String folder) {
    IngestClaim claim = IngestClaim.create();
    IngestedFiles known = IngestedFiles.read(access, domain, corpus);
    Optional<IngestProgress> before = known.progress();
    claim.requireFree(before, takeOver);
    IngestSession session = new IngestSession(writer, domain, corpus, claim, known, folder);
    session.claim(access, before.filter(IngestProgress::getOpen));
    try { // A purge that begins looks for claims after it has said so.
      new Purges(access).requireDomain(domain);
      return session;
    } catch (BadInputException e) {
      session.abandon(e);
      throw e;
    }
  }

  /** Kafka's id of the corpus topic. */
  String corpus() {
    return corpus;
  }

  /** What is known of a file by its location; null if nothing is. */
  @Nullable IngestedFile known(String file) {
    return known.get(file);
  }

  /** What is known of the files of a folder, by their names in it. */
  Map<String, IngestedFile> knownBelow(String of) {
    return known.below(of);
  }

  /** How far a file is in the corpus, for the table. */
  IngestedFile ingested(String file, String reading, long records, long proven, byte[] hash) {
    return new IngestedFile(domain, file, corpus, reading, records, proven, ByteBuffer.wrap(hash));
  }

  /**
   * Tells that a file cannot be read, by a name that no file has: it may still be.
   *
   * @param unsaid is told, for {@link #say}
   * @return whether that is new
   */
  boolean tell(String file, String reason, Map<String, IngestedFile> unsaid) {
    String name = "unread:" + file;
    IngestedFile told = known(name);
    if (told != null && told.getReading().equals(reason)) {
      return false;
    }
    unsaid.put(name, ingested(name, reason, 0, 0, new byte[0]));
    return true;
  }

  /** Counts ranges that were written. */
  void refer(List<FileRange> ranges) {
    ranges.forEach(range -> referred += range.records() - 1);
  }

  /** Says how far files are, once the broker has their documents. */
  void say(Map<String, IngestedFile> files) {
    writer.flush();
    files.forEach((file, how) -> writer.ingested(domain + "/" + file, how));
    say(progress());
  }

  /** Says that nothing is under way, and returns once the broker has it. */
  void end() {
    say(IngestProgress.newBuilder(nobody()).setOpen(false).build());
    writer.flush();
  }

  /**
   * Says that this ingest has failed, if anybody takes it: the next one waits for nobody, and looks
   * into the corpus.
   */
  void abandon(RuntimeException failure) {
    try {
      say(nobody());
      writer.flush();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void claim(KafkaAccess access, Optional<IngestProgress> unfinished) {
    say(
        unfinished
            .map(
                last ->
                    claim.progress(
                        domain, corpus, last.getStart(), last.getReferred(), last.getFolder()))
            .orElse(said));
    writer.flush();
    IngestedFiles now = IngestedFiles.read(access, domain, corpus);
    IngestProgress first = now.firstBehind(known).orElse(said);
    if (!claim.says(first)) {
      // The table keeps the last record alone, and that must be what the other said last.
      say(now.latestBut(claim).orElse(first));
      writer.flush();
      throw IngestClaim.underWay(first);
    }
    unfinished.ifPresent(since -> say(known.find(access, since)));
  }

  /** What is so now, if the broker has all documents. */
  private IngestProgress progress() {
    return claim.progress(domain, corpus, writer.next(), known.referred() + referred, folder);
  }

  private IngestProgress nobody() {
    return IngestProgress.newBuilder(said).setAttempt("").build();
  }

  private void say(IngestProgress progress) {
    said = progress;
    writer.ingested(domain, progress);
  }
}
