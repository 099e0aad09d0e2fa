package io.sluice.cli.dataset;

import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Option;
import io.sluice.control.line.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every key of a source in {@code dataset.yaml}. */
public final class SourceOptions {
  static final String AUTO = "auto";
  private static final List<String> FORMATS =
      List.of(AUTO, "text", "html", "lines", "parquet", "jsonl");

  static final Option<String> PATH =
      text(
          "path",
          "a file, a folder, a pattern such as wiki/*.jsonl.gz, or s3://BUCKET/...",
          "none, with topic",
          "s3://corpora/wiki",
          "Where the documents are; without a '/' in front below the folder of the file.");

  static final Option<String> FORMAT =
      Option.oneOf("format", FORMATS, AUTO, "How they are divided, as ingest --format has it.");

  static final Option<String> TEXT_FIELD =
      new Option<>(
          "text-field",
          "text",
          "a field or column",
          Fields.STANDARD.text(),
          "content",
          "Where the text is.",
          (section, key) -> section.text(key, Fields.STANDARD.text()));

  static final Option<String> ID_FIELD =
      new Option<>(
          "id-field",
          "text",
          "a field or column",
          Fields.STANDARD.id(),
          "url",
          "Where a document's id is, if it has one.",
          (section, key) -> section.text(key, Fields.STANDARD.id()));

  static final Option<List<String>> PROPERTY_FIELDS =
      new Option<>(
          "property-fields",
          "list of texts",
          "fields of JSON lines, or columns of Parquet",
          "none",
          "[source, score]",
          "What documents keep as properties, by which 'run filter' may mean them; with format:"
              + " jsonl or parquet.",
          (section, key) -> section.has(key) ? section.texts(key) : List.of());

  static final Option<String> BY_REFERENCE =
      Option.oneOf(
          "by-reference",
          List.of("false", "true"),
          "false",
          "Leave the texts in the files, as ingest --by-reference does; without property-fields and"
              + " a column.");

  static final Option<String> IN_PLACE =
      Option.oneOf(
          "in-place",
          List.of("false", "true"),
          "false",
          "The files hold token ids, and are the blocks of the domain where they lie: 'dataset index'"
              + " hashes them, nothing is copied. With a store, path and domain alone, for runs with"
              + " delivery: derived.");

  static final Option<Domain> DOMAIN =
      new Option<>(
          "domain",
          "text or map",
          "one of the domains, folder, {folder: NAMES}, {column: FIELD} or {column: FIELD, names:"
              + " NAMES}",
          "",
          "{column: source, names: {enwiki: wiki}}",
          "Of all documents; by the first folder below the path; or by a field or column. NAMES says"
              + " which domain is meant where that is not its name.",
          SourceOptions::domain);

  /** In the order in which people write them. */
  public static final List<Option<?>> ALL =
      List.of(
          PATH,
          FORMAT,
          TEXT_FIELD,
          ID_FIELD,
          PROPERTY_FIELDS,
          BY_REFERENCE,
          IN_PLACE,
          SourceTopic.TOPIC,
          SourceTopic.TOPIC_FORMAT,
          SourceTopic.SOURCE_KAFKA,
          SourceTopic.SOURCE_KAFKA_CONFIG,
          SourceTopic.SCHEMA_REGISTRY,
          DOMAIN);

  /**
   * What says the domain of a document.
   *
   * @param name of all; "" if folders or documents say it
   * @param column that says it; "" if folders do, or the name
   * @param names domains by what is said
   */
  record Domain(String name, String column, Map<String, String> names) {}

  private SourceOptions() {}

  static Option<String> text(
      String key, String allowed, String otherwise, String example, String description) {
    return new Option<>(
        key,
        "text",
        allowed,
        otherwise,
        example,
        description,
        (section, name) -> section.text(name, ""));
  }

  private static Domain domain(ConfigSection section, String key) {
    if (!section.isSection(key)) {
      String said = section.text(key);
      return said.equals("folder") ? new Domain("", "", Map.of()) : new Domain(said, "", Map.of());
    }
    ConfigSection map = section.section(key);
    boolean byColumn = map.has("column");
    if (byColumn == map.has("folder")) {
      throw section.invalid(
          key,
          "a domain, folder, or a map with one of folder and column",
          "neither or both of folder and column");
    }
    String column = byColumn ? map.text("column") : "";
    Map<String, String> names = names(map, byColumn ? "names" : "folder");
    map.requireNoOther();
    return new Domain("", column, names);
  }

  private static Map<String, String> names(ConfigSection map, String key) {
    Map<String, String> names = new LinkedHashMap<>();
    ConfigSection said = map.section(key);
    said.keys().forEach(each -> names.put(each, said.text(each)));
    said.requireNoOther();
    return names;
  }
}
