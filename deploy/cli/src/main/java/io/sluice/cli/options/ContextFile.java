package io.sluice.cli.options;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file of somebody's contexts, {@code sluice/contexts.yaml} below {@code $XDG_CONFIG_HOME} or
 * {@code ~/.config}. The launcher looks into it, too, for plugins, and knows it as it is written
 * here.
 *
 * @param place empty where neither is known: then there are no contexts
 */
public record ContextFile(Optional<Path> place) {
  private static final String CURRENT = "current";
  private static final String CONTEXTS = "contexts";
  private static final String PREFIX =
      "at most 64 letters, digits, '.', '_' or '-', or two such with a ':' between";
  private static final Pattern PREFIXES =
      Pattern.compile("[A-Za-z0-9._-]{1,64}(:[A-Za-z0-9._-]{1,64})?");
  private static final FileAttribute<?> OWN_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> OWN_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Where the environment says. */
  static ContextFile of(Map<String, String> environment) {
    // A relative one is to be passed over, as the XDG Base Directory Specification has it.
    Optional<Path> folder =
        path(environment.get("XDG_CONFIG_HOME"))
            .filter(Path::isAbsolute)
            .or(() -> path(environment.get("HOME")).map(home -> home.resolve(".config")));
    return new ContextFile(folder.map(each -> each.resolve("sluice").resolve("contexts.yaml")));
  }

  private static Optional<Path> path(@Nullable String text) {
    return Optional.ofNullable(text).filter(given -> !given.isEmpty()).map(Path::of);
  }

  /**
   * The contexts of the file; none if it is not there.
   *
   * @throws BadInputException naming the file, the key, what is allowed and what was found
   */
  public Contexts read() {
    Path file = place.filter(Files::exists).orElse(null);
    if (file == null) {
      return Contexts.NONE;
    }
    ConfigSection root = ConfigFile.read(file);
    String current = root.text(CURRENT, "");
    ConfigSection section = root.section(CONTEXTS);
    root.requireNoOther();
    SortedMap<String, Context> all = new TreeMap<>();
    for (String name : section.keys()) {
      if (!Topics.NAME.matcher(name).matches()) {
        throw section.invalid(name, "named by 1 to 63 letters, digits, '_' or '-'", name);
      }
      all.put(name, context(name, section.section(name)));
    }
    if (!current.isEmpty() && !all.containsKey(current)) {
      throw root.invalid(CURRENT, "one of " + all.keySet(), current);
    }
    return new Contexts(current, all);
  }

  private static Context context(String name, ConfigSection section) {
    String kafka = section.text("kafka");
    if (!KafkaServers.isList(kafka)) {
      throw section.invalid("kafka", KafkaServers.FORM, kafka);
    }
    Optional<String> prefix = text(section, "prefix");
    prefix
        .filter(given -> !PREFIXES.matcher(given).matches())
        .ifPresent(
            given -> {
              throw section.invalid("prefix", PREFIX, given);
            });
    Context context =
        new Context(name, kafka, prefix, path(section, "kafka-config"), path(section, "plugins"));
    section.requireNoOther();
    return context;
  }

  private static Optional<String> text(ConfigSection section, String key) {
    return section.has(key) ? Optional.of(section.text(key)) : Optional.empty();
  }

  private static Optional<Path> path(ConfigSection section, String key) {
    Optional<String> text = text(section, key);
    try {
      Optional<Path> path = text.map(Path::of);
      if (path.isPresent() && !path.get().isAbsolute()) {
        throw section.invalid(key, "an absolute path", text.get());
      }
      return path;
    } catch (InvalidPathException e) {
      throw section.invalid(key, "a path", text.orElse(""));
    }
  }

  /**
   * Replaces the file as a whole, for its owner alone.
   *
   * @throws BadInputException if it cannot be written
   */
  public void write(Contexts contexts) {
    Path named =
        place.orElseThrow(
            () ->
                new BadInputException(
                    "contexts are kept below $XDG_CONFIG_HOME or $HOME: neither is set"));
    try {
      Path folder = named.toAbsolutePath().getParent();
      if (folder != null && !Files.isDirectory(folder)) {
        Files.createDirectories(folder, OWN_FOLDER);
      }
      // Where it is a link, as of those who keep such files elsewhere, it stays one.
      Path file = Files.exists(named) ? named.toRealPath() : named;
      Path unfinished = Files.createTempFile(file.getParent(), ".contexts-", ".yaml", OWN_FILE);
      try {
        Files.writeString(unfinished, yaml(contexts));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(unfinished);
      }
    } catch (IOException e) {
      throw new BadInputException("the file of contexts must be writable: " + named + ": " + e, e);
    }
  }

  private static String yaml(Contexts contexts) throws JsonProcessingException {
    StringBuilder text = new StringBuilder();
    if (!contexts.current().isEmpty()) {
      text.append(CURRENT).append(": ").append(quoted(contexts.current())).append('\n');
    }
    text.append(CONTEXTS).append(contexts.all().isEmpty() ? ": {}\n" : ":\n");
    for (Context context : contexts.all().values()) {
      text.append("  ").append(context.name()).append(":\n");
      line(text, "kafka", Optional.of(context.kafka()));
      line(text, "prefix", context.prefix());
      line(text, "kafka-config", context.kafkaConfig().map(Path::toString));
      line(text, "plugins", context.plugins().map(Path::toString));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String key, Optional<String> value)
      throws JsonProcessingException {
    if (value.isPresent()) {
      text.append("    ").append(key).append(": ").append(quoted(value.get())).append('\n');
    }
  }

  /** A text of JSON is one of YAML. */
  private static String quoted(String text) throws JsonProcessingException {
    return new ObjectMapper().writeValueAsString(text);
  }
}
