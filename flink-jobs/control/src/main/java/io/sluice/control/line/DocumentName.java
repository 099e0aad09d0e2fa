package io.sluice.control.line;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schema.Limits;
import io.sluice.schema.Topics;
import java.util.Optional;

/** What a document is called: its domain and its id in it. */
public record DocumentName(String domain, String id) {
  private static final String DOMAIN = "domain";
  private static final String ID = "id";

  /**
   * The document that a line names: {@code domain TAB id}, or a JSON object with {@code domain} and
   * {@code id}; empty for a blank line.
   *
   * @throws RefusedException saying why it names none
   */
  public static Optional<DocumentName> of(Line line) throws RefusedException {
    if (line.truncated()) {
      throw new RefusedException("too long: " + line.length() + " bytes");
    }
    String text = Utf8.require(line.bytes());
    if (text.isBlank()) {
      return Optional.empty();
    }
    DocumentName named = text.startsWith("{") ? ofJson(text) : ofFields(text);
    try {
      Topics.requireName(DOMAIN, named.domain);
      Limits.requireDocumentId(named.id);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    }
    return Optional.of(named);
  }

  private static DocumentName ofFields(String text) throws RefusedException {
    int tab = text.indexOf('\t');
    if (tab < 1 || tab == text.length() - 1) {
      throw new RefusedException("must be a domain, a tab and an id: '" + Limits.shown(text) + "'");
    }
    return new DocumentName(text.substring(0, tab), text.substring(tab + 1));
  }

  private static DocumentName ofJson(String text) throws RefusedException {
    JsonNode object = JsonDocument.object(text);
    String id =
        JsonDocument.id(ID, object.get(ID))
            .orElseThrow(() -> new RefusedException("'id' must be there"));
    return new DocumentName(JsonDocument.text(DOMAIN, object.get(DOMAIN)), id);
  }
}
