package io.sluice.control.line;

import org.jspecify.annotations.Nullable;

/** A file or line that is no document; the message is the dead letter's reason. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean assigned;

  /** A refusal with its reason. */
  public RefusedException(String reason) {
    this(reason, null, false);
  }

  private RefusedException(String reason, @Nullable RefusedException cause, boolean assigned) {
    super(reason, cause);
    this.assigned = assigned;
  }

  /** The refusal of a record of which it is known which domain it is of. */
  public RefusedException ofItsDomain() {
    return new RefusedException(String.valueOf(getMessage()), this, true);
  }

  /** Whether it is known which domain the record is of. */
  public boolean isOfItsDomain() {
    return assigned;
  }
}
