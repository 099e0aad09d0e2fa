package io.sluice.lab.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of {@code deploy}, and its manifests as {@code kubectl kustomize} renders them. */
final class Manifests {
  /** The folder of this module's siblings. */
  static final Path DEPLOY = Path.of("..");

  private static final Path OVERLAYS = DEPLOY.resolve("kubernetes/overlays");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, List<ObjectNode>> RENDERED = new ConcurrentHashMap<>();

  private Manifests() {}

  /** Names of all overlays. */
  static List<String> overlays() {
    try (Stream<Path> folders = Files.list(OVERLAYS)) {
      return folders.map(folder -> folder.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The documents of an overlay, which are the caller's; the test is skipped without kubectl. */
  static List<ObjectNode> of(String overlay) {
    return RENDERED.computeIfAbsent(overlay, Manifests::render).stream()
        .map(ObjectNode::deepCopy)
        .toList();
  }

  /** Those of one kind. */
  static List<ObjectNode> of(String overlay, String kind) {
    return of(overlay).stream().filter(document -> kind(document).equals(kind)).toList();
  }

  /** The one of its kind. */
  static ObjectNode only(String overlay, String kind) {
    List<ObjectNode> found = of(overlay, kind);
    assertThat(found).as(kind + " of " + overlay).hasSize(1);
    return found.get(0);
  }

  static String kind(JsonNode document) {
    return document.path("kind").asText();
  }

  static String name(JsonNode document) {
    return document.at("/metadata/name").asText();
  }

  /** Texts of an array. */
  static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  /** Texts of an object's fields. */
  static Map<String, String> settings(JsonNode object) {
    Map<String, String> settings = new TreeMap<>();
    object.properties().forEach(each -> settings.put(each.getKey(), each.getValue().asText()));
    return settings;
  }

  /** Every object in some documents, at whatever depth. */
  static Stream<ObjectNode> below(Collection<ObjectNode> documents) {
    return documents.stream().flatMap(Manifests::objects);
  }

  private static Stream<ObjectNode> objects(JsonNode node) {
    List<JsonNode> children = new ArrayList<>();
    node.forEach(children::add);
    Stream<ObjectNode> own = node instanceof ObjectNode object ? Stream.of(object) : Stream.of();
    return Stream.concat(own, children.stream().flatMap(Manifests::objects));
  }

  /** The documents of a YAML text, with its anchors resolved. */
  static List<ObjectNode> parse(String yaml) {
    List<ObjectNode> documents = new ArrayList<>();
    new Yaml(new SafeConstructor(new LoaderOptions()))
        .loadAll(yaml)
        .forEach(document -> documents.add(JSON.valueToTree(document)));
    return documents;
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<ObjectNode> render(String overlay) {
    Process kubectl;
    try {
      kubectl =
          new ProcessBuilder("kubectl", "kustomize", OVERLAYS.resolve(overlay).toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      return Assumptions.abort("needs kubectl to render manifests: " + e.getMessage());
    }
    try {
      String yaml = new String(kubectl.getInputStream().readAllBytes(), UTF_8);
      assertThat(kubectl.onExit().join().exitValue()).as("kubectl kustomize " + overlay).isZero();
      return parse(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
