package io.sluice.control.line;

import org.jspecify.annotations.Nullable;

/** A file or line that is no document; the message is the dead letter's reason. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Whose whose;

  /** Which domain a record is of, where a file has those of several. */
  private enum Whose {
    UNKNOWN,
    ITS_OWN,
    ANOTHERS,
    ANOTHERS_DOCUMENT
  }

  /** A refusal with its reason. */
  public RefusedException(String reason) {
    this(reason, null, Whose.UNKNOWN);
  }

  private RefusedException(String reason, @Nullable RefusedException cause, Whose whose) {
    // Many records of a file may be refused, and the reason says where: there is no stack.
    super(reason, cause, false, false);
    this.whose = whose;
  }

  /** Of a record of which another domain tells, whether it is a document of that or none. */
  public static RefusedException ofAnotherDomain() {
    return new RefusedException("is another domain's", null, Whose.ANOTHERS);
  }

  /** Of a record that is a document of another domain. */
  public static RefusedException documentOfAnotherDomain() {
    return new RefusedException("is another domain's document", null, Whose.ANOTHERS_DOCUMENT);
  }

  /** The refusal of a record of which it is known which domain it is of. */
  public RefusedException ofItsDomain() {
    return new RefusedException(String.valueOf(getMessage()), this, Whose.ITS_OWN);
  }

  /** Whether it is known which domain the record is of. */
  public boolean isOfItsDomain() {
    return whose == Whose.ITS_OWN;
  }

  /** Whether another domain tells of the record. */
  public boolean isOfAnotherDomain() {
    return whose == Whose.ANOTHERS || whose == Whose.ANOTHERS_DOCUMENT;
  }

  /** Whether the record is a document, of another domain. */
  public boolean isDocumentOfAnotherDomain() {
    return whose == Whose.ANOTHERS_DOCUMENT;
  }
}
