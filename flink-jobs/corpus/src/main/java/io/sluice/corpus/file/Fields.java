package io.sluice.corpus.file;

/**
 * Where a record of several fields has what makes it a document.
 *
 * @param text name of the field with the text, which must be there
 * @param id name of the field with the document's id, which may be missing
 */
public record Fields(String text, String id) {
  /** The fields {@code text} and {@code id}. */
  public static final Fields STANDARD = new Fields("text", "id");
}
