package io.sluice.control.error;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.schema.Limits;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why a parser refuses a text, without what its library says of itself. */
public final class ParseReason {
  private static final Pattern SOURCE =
      Pattern.compile("\\[Source: [^\\]]*?line: (\\d+), column: (\\d+)\\]");

  /** What names a setting, or a class, of the library, with what leads to it. */
  private static final Pattern INTERNAL =
      Pattern.compile(" \\(bound as `[^`]*`\\)| for `[^`]*`|, from `[^`]*`|: [^:`]*`[^`]*`.*");

  private ParseReason() {}

  /** The reason in a line. */
  public static String of(JsonProcessingException e) {
    String first = e.getOriginalMessage().lines().findFirst().orElse("broken");
    String bounded = Limits.shortened(first, Limits.TEXT);
    String placed = SOURCE.matcher(bounded).replaceAll("line $1, column $2");
    return INTERNAL.matcher(placed).replaceAll("");
  }

  /** The reason and where, in a text of one line or more. */
  public static String placed(JsonProcessingException e) {
    return of(e) + where(e.getLocation());
  }

  private static String where(@Nullable JsonLocation location) {
    if (location == null || location.getColumnNr() < 1) {
      return "";
    }
    return ", at "
        + (location.getLineNr() > 1 ? "line " + location.getLineNr() + ", " : "")
        + "column "
        + location.getColumnNr();
  }
}
