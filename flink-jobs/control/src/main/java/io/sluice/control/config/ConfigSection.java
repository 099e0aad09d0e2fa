package io.sluice.control.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A map of a configuration file. Every read checks type and range, and a failure names the file,
 * the whole path of the key, what is allowed and what was found. The keys that were asked for are
 * the keys that are known: {@link #requireNoOther} refuses the rest, so it comes after all reads.
 */
public final class ConfigSection {
  private final String source;
  private final String path;
  private final ObjectNode node;
  private final Set<String> known = new TreeSet<>();

  ConfigSection(String source, String path, ObjectNode node) {
    this.source = source;
    this.path = path;
    this.node = node;
  }

  /** True if the key is there with a value. */
  public boolean has(String key) {
    return find(key) != null;
  }

  /** The keys that are there, in their order. */
  public List<String> keys() {
    List<String> keys = new ArrayList<>();
    node.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  /** A text that must be there. */
  public String text(String key) {
    return asText(key, require(key));
  }

  /** A text, or the other when the key is missing. */
  public String text(String key, String otherwise) {
    JsonNode value = find(key);
    return value == null ? otherwise : asText(key, value);
  }

  /** One of the allowed words, or the other when the key is missing. */
  public String oneOf(String key, String otherwise, Collection<String> allowed) {
    String value = text(key, otherwise);
    if (!allowed.contains(value)) {
      throw invalid(key, "one of " + String.join(", ", allowed), value);
    }
    return value;
  }

  /**
   * A whole number from min to max that must be there; {@code 4M} is 4,000,000.
   *
   * @param unit word that may follow the number, such as 'tokens'; '' for none
   */
  public long count(String key, String unit, long min, long max) {
    return asCount(key, require(key), unit, min, max);
  }

  /** A whole number from min to max, or the other when the key is missing. */
  public long count(String key, String unit, long min, long max, long otherwise) {
    JsonNode value = find(key);
    return value == null ? otherwise : asCount(key, value, unit, min, max);
  }

  /** A whole number from min to max with one of the units behind it. */
  public Quantity quantity(String key, List<String> units, long min, long max) {
    JsonNode value = require(key);
    String allowed =
        Quantity.FORM
            + " and a unit ("
            + String.join(", ", units)
            + "), from "
            + min
            + " to "
            + max;
    Quantity quantity =
        Quantity.parse(value.asText()).orElseThrow(() -> invalid(key, allowed, shown(value)));
    boolean knownUnit = units.contains(quantity.unit());
    if (!value.isValueNode() || !knownUnit || quantity.value() < min || quantity.value() > max) {
      throw invalid(key, allowed, shown(value));
    }
    return quantity;
  }

  /** A number from min to max that must be there. */
  public double number(String key, double min, double max) {
    return asNumber(key, require(key), min, max);
  }

  /** A number from min to max, or the other when the key is missing. */
  public double number(String key, double min, double max, double otherwise) {
    JsonNode value = find(key);
    return value == null ? otherwise : asNumber(key, value, min, max);
  }

  /** A number from 0 to below 1, or the other when the key is missing. */
  public double share(String key, double otherwise) {
    JsonNode value = find(key);
    if (value == null) {
      return otherwise;
    }
    double share = number(value);
    if (!(share >= 0 && share < 1)) {
      throw invalid(key, "a number from 0 to below 1", shown(value));
    }
    return share;
  }

  /** A time from min to max, or the other when the key is missing. */
  public Duration duration(String key, Duration min, Duration max, Duration otherwise) {
    JsonNode value = find(key);
    if (value == null) {
      return otherwise;
    }
    Duration time = Durations.parse(value.asText()).orElse(null);
    if (time == null || time.compareTo(min) < 0 || time.compareTo(max) > 0) {
      throw invalid(
          key,
          Durations.FORM + ", from " + Durations.format(min) + " to " + Durations.format(max),
          shown(value));
    }
    return time;
  }

  /** A list of at least one text that must be there. */
  public List<String> texts(String key) {
    JsonNode value = require(key);
    if (!value.isArray() || value.isEmpty()) {
      throw invalid(key, "a list of at least one text", shown(value));
    }
    List<String> texts = new ArrayList<>();
    value.forEach(element -> texts.add(asText(key + "[" + texts.size() + "]", element)));
    return List.copyOf(texts);
  }

  /** The map under the key; an empty one when the key is missing. */
  public ConfigSection section(String key) {
    JsonNode value = find(key);
    if (value == null) {
      return new ConfigSection(source, path + key + ".", node.objectNode());
    }
    if (!(value instanceof ObjectNode object)) {
      throw invalid(key, "a map of keys to values", shown(value));
    }
    return new ConfigSection(source, path + key + ".", object);
  }

  /** The maps in the list under the key, which must be there; each is named by its position. */
  public List<ConfigSection> sections(String key) {
    JsonNode value = require(key);
    if (!value.isArray() || value.isEmpty()) {
      throw invalid(key, "a list of maps", shown(value));
    }
    List<ConfigSection> sections = new ArrayList<>();
    for (JsonNode element : value) {
      String name = key + "[" + sections.size() + "]";
      if (!(element instanceof ObjectNode object)) {
        throw invalid(name, "a map of keys to values", shown(element));
      }
      sections.add(new ConfigSection(source, path + name + ".", object));
    }
    return sections;
  }

  /** What is written in the list of at least one value under the key, which must be there. */
  public List<JsonNode> values(String key) {
    JsonNode value = require(key);
    if (!value.isArray() || value.isEmpty()) {
      throw invalid(key, "a list of at least one value", shown(value));
    }
    List<JsonNode> values = new ArrayList<>();
    value.forEach(values::add);
    return List.copyOf(values);
  }

  /** What is written under each key, in their order. */
  public Map<String, JsonNode> written() {
    Map<String, JsonNode> written = new LinkedHashMap<>();
    keys().forEach(key -> written.put(key, node.get(key)));
    known.addAll(written.keySet());
    return written;
  }

  /**
   * This map as the top level of a file, with other values in it.
   *
   * @param source the file's name in messages
   * @param changes by key; a dot leads into the map before it
   * @throws BadInputException if what a dot leads into is no map
   */
  public ConfigSection with(String source, Map<String, JsonNode> changes) {
    ObjectNode changed = node.deepCopy();
    changes.forEach((key, value) -> put(changed, key, key, value));
    return new ConfigSection(source, "", changed);
  }

  private void put(ObjectNode map, String key, String whole, JsonNode value) {
    int dot = key.indexOf('.');
    if (dot < 0) {
      map.set(key, value);
      return;
    }
    String outer = key.substring(0, dot);
    JsonNode inner = map.has(outer) ? map.get(outer) : map.putObject(outer);
    if (!(inner instanceof ObjectNode next)) {
      throw invalid(
          whole.substring(0, whole.length() - key.length() + dot),
          "a map, as '" + whole + "' is to be changed",
          shown(inner));
    }
    put(next, key.substring(dot + 1), whole, value);
  }

  /** True if the value of the key is a map. */
  public boolean isSection(String key) {
    return find(key) instanceof ObjectNode;
  }

  /** True if the value of the key is a list of maps. */
  public boolean isSections(String key) {
    return isList(key) && find(key) instanceof ArrayNode list && list.path(0).isObject();
  }

  /** True if the value of the key is a list. */
  public boolean isList(String key) {
    JsonNode value = find(key);
    return value != null && value.isArray();
  }

  /**
   * Refuses keys that no read asked for.
   *
   * @throws BadInputException naming the first of them, and the known ones
   */
  public void requireNoOther() {
    for (String key : keys()) {
      if (!known.contains(key)) {
        throw new BadInputException(
            source + ": unknown key '" + path + key + "'; known here: " + String.join(", ", known));
      }
    }
  }

  /** The failure of a value that a caller's own check refuses. */
  public BadInputException invalid(String key, String allowed, String found) {
    return new BadInputException(
        source + ": '" + path + key + "' must be " + allowed + ": found '" + found + "'");
  }

  private @Nullable JsonNode find(String key) {
    known.add(key);
    JsonNode value = node.get(key);
    return value == null || value.isNull() ? null : value;
  }

  private JsonNode require(String key) {
    JsonNode value = find(key);
    if (value == null) {
      throw new BadInputException(
          source + ": '" + path + key + "' is missing; keys found: " + String.join(", ", keys()));
    }
    return value;
  }

  private String asText(String key, JsonNode value) {
    if (!value.isValueNode() || value.isNull() || value.asText().isBlank()) {
      throw invalid(key, "a text", shown(value));
    }
    return value.asText();
  }

  private long asCount(String key, JsonNode value, String unit, long min, long max) {
    String allowed =
        Quantity.FORM
            + (unit.isEmpty() ? "" : ", with or without '" + unit + "'")
            + ", from "
            + min
            + " to "
            + max;
    Quantity quantity = value.isValueNode() ? Quantity.parse(value.asText()).orElse(null) : null;
    if (quantity == null
        || !(quantity.unit().isEmpty() || quantity.unit().equals(unit))
        || quantity.value() < min
        || quantity.value() > max) {
      throw invalid(key, allowed, shown(value));
    }
    return quantity.value();
  }

  private double asNumber(String key, JsonNode value, double min, double max) {
    double number = number(value);
    if (!(number >= min && number <= max)) {
      throw invalid(key, "a number from " + min + " to " + max, shown(value));
    }
    return number;
  }

  private static double number(JsonNode value) {
    return value.isNumber() ? value.doubleValue() : Double.NaN;
  }

  private static String shown(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }
}
