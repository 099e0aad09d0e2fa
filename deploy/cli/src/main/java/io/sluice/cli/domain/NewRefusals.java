package io.sluice.cli.domain;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.FilePassage;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.range.FileRange;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A sink for a file that is ingested again: knows what is refused of it, and hands on those letters
 * alone whose place has none yet.
 */
final class NewRefusals implements DocumentSink {
  private static final int MOST = 100_000;

  private final DocumentSink sink;
  private final String location;
  private final Set<String> told;
  private final Map<Long, String> refused = new HashMap<>();
  private final List<DeadLetter> ofAll = new ArrayList<>();

  NewRefusals(DocumentSink sink, String location, Set<String> told) {
    this.sink = sink;
    this.location = location;
    this.told = told;
  }

  /** Why a record cannot be used, or nothing behind it; empty if it can. */
  Optional<String> why(long position) {
    return Optional.ofNullable(refused.get(position))
        .or(() -> Optional.ofNullable(refused.get(0L)));
  }

  @Override
  public FilePassage file(SourceFile source) throws RefusedException {
    return sink.file(source);
  }

  @Override
  public boolean mayKnow(SourceFile source) {
    return sink.mayKnow(source);
  }

  @Override
  public void document(Document document, byte[] encoded) {
    sink.document(document, encoded);
  }

  @Override
  public void ranges(List<FileRange> ranges) {
    sink.ranges(ranges);
  }

  @Override
  public void deadLetter(DeadLetter letter) {
    long position = letter.getPosition();
    if (refused.size() < MOST || position == 0) {
      refused.putIfAbsent(position, letter.getReason());
    }
    if (told.contains(RefusedLetter.place(location, position))) {
      return;
    }
    if (position == 0) {
      ofAll.add(letter);
    } else {
      sink.deadLetter(letter);
    }
  }

  /** Hands on what is refused of the file as a whole, which is not read otherwise any more. */
  void end() {
    ofAll.forEach(sink::deadLetter);
  }
}
