package io.sluice.cli.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.cli.dataset.DatasetFile;
import io.sluice.control.error.BadInputException;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.StoredFile;
import io.sluice.corpus.file.UnreadFile;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcePartsTest {
  @TempDir private Path folder;

  @Test
  void eachDomainTakesItsFilesAsTheirSourceSays() throws IOException {
    write("a.jsonl");
    write("by/wiki/b.txt");
    write("by/en/c.txt");
    write("by/other/d.txt");
    write("by/e.txt");
    SourceParts parts =
        parts(
            """
              - {path: a.jsonl, format: jsonl, property-fields: [lang], domain: wiki}
              - {path: by, by-reference: true, domain: {folder: {en: code}}}
              - {topic: commits, domain: code}
            """);

    assertThat(parts.byDomain().keySet()).containsExactly("wiki", "code");
    assertThat(parts.byDomain().get("wiki"))
        .extracting(
            part -> part.settings().fields().properties(),
            SourceParts.Part::byReference,
            part -> names(part.files().files()))
        .containsExactly(
            tuple(List.of("lang"), false, List.of("a.jsonl")),
            tuple(List.of(), true, List.of("b.txt")));
    assertThat(parts.byDomain().get("code"))
        .extracting(SourceParts.Part::byReference, part -> names(part.files().files()))
        .containsExactly(tuple(true, List.of("c.txt")), tuple(false, List.of()));
    assertThat(parts.byDomain().get("code").get(1).topic())
        .hasValueSatisfying(topic -> assertThat(topic.getTopic()).isEqualTo("commits"));
    assertThat(parts.bytes()).isEqualTo(-1);
    assertThat(names(parts.nobodys())).containsExactlyInAnyOrder("d.txt", "e.txt");
  }

  @Test
  void aSourceThatIsNotThereIsGivenUpByEachDomainThatItMayBeOf() throws IOException {
    write("a.jsonl");
    SourceParts parts =
        parts(
            """
              - {path: a.jsonl, domain: wiki}
              - {path: nothere, domain: folder}
              - {path: 'none/*.jsonl', format: jsonl, domain: code}
            """);
    assertThat(names(parts.byDomain().get("wiki").get(0).files().files()))
        .containsExactly("a.jsonl");
    String gone = "sources[1].path must exist: " + folder.resolve("nothere");
    assertThat(reasons(parts, "wiki")).containsExactly(gone);
    assertThat(reasons(parts, "code"))
        .containsExactly(gone, "sources[2].path must exist: " + folder.resolve("none"));
    List<Boolean> left = new ArrayList<>();
    parts
        .byDomain()
        .forEach(
            (domain, its) ->
                its.forEach(
                    part -> left.add(part.toldBy("code").settings().fields().leaveRefusals())));
    assertThat(left).containsExactly(false, true, false, false);
  }

  private static List<String> reasons(SourceParts parts, String domain) {
    return parts.byDomain().get(domain).stream()
        .flatMap(part -> part.files().files().stream())
        .map(SourceFile::file)
        .filter(UnreadFile.class::isInstance)
        .map(StoredFile::version)
        .toList();
  }

  @Test
  void whoeverFollowsASourceThatIsNotThereIsToldItsKey() throws IOException {
    DatasetSpec spec = dataset("  - {path: nothere, domain: wiki}\n");
    try (FileStores stores = new FileStores(S3Settings.usual(notice -> {}))) {
      assertThatThrownBy(() -> new SourcePath(spec, spec.getSources().get(0)).files(stores))
          .isInstanceOf(BadInputException.class)
          .hasMessage("sources[0].path must exist: " + folder.resolve("nothere"));
    }
  }

  private DatasetSpec dataset(String sources) throws IOException {
    Path file = folder.resolve("dataset.yaml");
    Files.writeString(
        file, "dataset: d\nsequence-length: 64\ndomains: [wiki, code]\nsources:\n" + sources);
    return DatasetFile.read(file);
  }

  private SourceParts parts(String sources) throws IOException {
    DatasetSpec spec = dataset(sources);
    SourceParts parts = new SourceParts();
    try (FileStores stores = new FileStores(S3Settings.usual(notice -> {}))) {
      for (DatasetSource source : spec.getSources()) {
        if (source.getTopic().isEmpty()) {
          parts.add(spec, source, stores);
        } else {
          parts.add(source);
        }
      }
    }
    return parts;
  }

  private void write(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "{\"text\": \"a\"}\n");
  }

  private static List<String> names(List<SourceFile> files) {
    return files.stream().map(file -> Path.of(file.origin()).getFileName().toString()).toList();
  }
}
