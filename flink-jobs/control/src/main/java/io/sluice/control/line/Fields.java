package io.sluice.control.line;

import java.util.List;
import java.util.Optional;

/**
 * Where a record of several fields has what makes it a document.
 *
 * @param text name of the field with the text, which must be there
 * @param id name of the field with the document's id, which may be missing
 * @param prompt name of the field with a text that comes before, and does not count in the loss
 * @param trained name of the field with the spans of the text that count in the loss
 * @param properties names of the fields that the document keeps as properties, where it has them
 * @param domain which documents are taken, where there are those of others, too
 */
public record Fields(
    String text,
    String id,
    Optional<String> prompt,
    Optional<String> trained,
    List<String> properties,
    Optional<DomainField> domain) {
  /** The fields {@code text} and {@code id}. */
  public static final Fields STANDARD = new Fields("text", "id");

  /** Copies the list. */
  public Fields {
    properties = List.copyOf(properties);
  }

  /** Documents without properties. */
  public Fields(String text, String id, Optional<String> prompt, Optional<String> trained) {
    this(text, id, prompt, trained, List.of());
  }

  /** Texts that count as a whole. */
  public Fields(String text, String id) {
    this(text, id, Optional.empty(), Optional.empty());
  }

  /** All documents. */
  public Fields(
      String text,
      String id,
      Optional<String> prompt,
      Optional<String> trained,
      List<String> properties) {
    this(text, id, prompt, trained, properties, Optional.empty());
  }

  /** The same where a domain tells what is of none; see {@link DomainField#toldBy}. */
  public Fields toldBy(String teller) {
    return new Fields(
        text, id, prompt, trained, properties, domain.map(field -> field.toldBy(teller)));
  }

  /** Whether another domain tells what cannot be used and is of none. */
  public boolean leaveRefusals() {
    return domain.filter(field -> !field.tells()).isPresent();
  }

  /** Whether a part of a text may not count. */
  public boolean masks() {
    return prompt.isPresent() || trained.isPresent();
  }

  /** Where what is, for what people and tables are told of an ingest. */
  public String places() {
    return ", text in '"
        + text
        + "', id in '"
        + id
        + "'"
        + prompt.map(field -> ", prompt in '" + field + "'").orElse("")
        + trained.map(field -> ", spans in '" + field + "'").orElse("")
        + (properties.isEmpty() ? "" : ", properties in '" + String.join("', '", properties) + "'")
        + domain.map(DomainField::places).orElse("");
  }
}
