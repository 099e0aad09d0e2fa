package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.range.FileRange;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.TokenDocument;
import java.util.List;

/** Where an ingestion writes, in order. */
public interface DocumentSink {
  /**
   * Says that what follows is of a file, and which of its records are there already; none, where a
   * sink does not know.
   *
   * @throws RefusedException if it was read otherwise before
   */
  default FilePassage file(SourceFile source) throws RefusedException {
    return FilePassage.fresh();
  }

  /**
   * Takes the domain's next document.
   *
   * @param encoded as it goes on the wire
   */
  void document(Document document, byte[] encoded);

  /** Says that the file has a document of another domain: it is what it was taken for. */
  default void anothers() {}

  /** Whether any of a file's records may be there already. */
  default boolean mayKnow(SourceFile source) {
    return false;
  }

  /** Takes the domain's next document that is token ids; only those do who take such files. */
  default void tokens(TokenDocument document) {
    throw new IllegalStateException("takes texts alone: '" + document.getId() + "'");
  }

  /**
   * Takes the domain's next documents by reference: all records of the file so far that were new.
   */
  default void ranges(List<FileRange> ranges) {
    throw new IllegalStateException("takes documents themselves: " + ranges);
  }

  /** Whether that a file cannot be read is to be told: it was not before, for the same reason. */
  default boolean mustTell(SourceFile source, String reason) {
    return true;
  }

  /** Takes an input that could not be used. */
  void deadLetter(DeadLetter letter);
}
