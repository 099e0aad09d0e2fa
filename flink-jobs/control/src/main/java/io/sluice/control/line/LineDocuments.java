package io.sluice.control.line;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schema.Document;
import io.sluice.schema.Limits;
import java.util.Map;
import java.util.Optional;

/**
 * The documents of a file of which each line is one, or none.
 *
 * @param json where text and id are in a line that is a JSON object; empty if its text is the line
 * @param scoreField of a JSON line, which must be there, with a number above 0, and becomes a
 *     property of the document
 * @param source with which the id of a document begins that has none of its own; ':' and the line's
 *     number follow
 * @param origin where the documents say that they come from
 */
public record LineDocuments(
    Optional<Fields> json, Optional<String> scoreField, String source, String origin) {
  /**
   * The document of a whole line; empty if there is nothing in it.
   *
   * @throws RefusedException saying why it is no document
   */
  public Optional<Document> of(Line line) throws RefusedException {
    String text = Utf8.require(line.bytes());
    if (text.isBlank()) {
      return Optional.empty();
    }
    String place = source + ":" + line.number();
    if (json.isEmpty()) {
      return usable(new Document(place, text, origin, line.number(), Map.of(), null));
    }
    JsonNode node = JsonDocument.object(text);
    Fields fields = json.get();
    if (fields.domain().isEmpty()) {
      return said(node, fields, place, line.number());
    }
    DomainField domain = fields.domain().get();
    String said = JsonDocument.text(domain.field(), node.get(domain.field()));
    return domain.own(said, () -> said(node, fields, place, line.number()));
  }

  private Optional<Document> said(JsonNode node, Fields fields, String place, long number)
      throws RefusedException {
    JsonDocument said = JsonDocument.of(node, fields, scoreField);
    return usable(
        new Document(
            said.id().orElse(place),
            said.text(),
            origin,
            number,
            said.properties(),
            said.trained()));
  }

  /**
   * The document itself; empty if there is nothing in it.
   *
   * @throws RefusedException if its id is too long
   */
  public static Optional<Document> usable(Document document) throws RefusedException {
    if (document.getText().isBlank()) {
      return Optional.empty();
    }
    try {
      Limits.requireIngestedId(document.getId());
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    }
    return Optional.of(document);
  }
}
