package io.sluice.cli.ingest.source;

import io.sluice.control.line.DomainField;
import io.sluice.control.line.Fields;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Which files of a dataset's sources each domain takes, and how, in the order of the sources.
 *
 * @param byDomain what domains with files take
 * @param nobodys files below a folder that names no domain
 */
public record SourceParts(Map<String, List<Part>> byDomain, List<SourceFile> nobodys) {
  /**
   * Files of one source for one domain.
   *
   * @param byReference whether their texts stay where they are
   */
  public record Part(IngestSettings settings, boolean byReference, SourceFiles files) {}

  /** Of no source yet. */
  public SourceParts() {
    this(new LinkedHashMap<>(), new ArrayList<>());
  }

  /** How a source's files are divided into documents. */
  public static Format format(DatasetSource source) {
    return Format.valueOf(source.getFormat().toUpperCase(Locale.ROOT));
  }

  /** Adds a source's files. */
  public void add(DatasetSpec dataset, DatasetSource source, SourceFiles files) {
    if (!source.getDomain().isEmpty()) {
      add(source.getDomain(), source, Optional.empty(), files.files());
    } else if (!source.getDomainColumn().isEmpty()) {
      for (String domain : dataset.getDomains()) {
        DomainField field =
            new DomainField(
                source.getDomainColumn(), source.getDomainNames(), dataset.getDomains(), domain);
        add(domain, source, Optional.of(field), files.files());
      }
    } else {
      Map<String, List<SourceFile>> found = new LinkedHashMap<>();
      for (SourceFile file : files.files()) {
        String folder = folder(file.id());
        String domain = source.getDomainNames().getOrDefault(folder, folder);
        boolean known = dataset.getDomains().contains(domain);
        (known ? found.computeIfAbsent(domain, name -> new ArrayList<>()) : nobodys).add(file);
      }
      found.forEach((domain, its) -> add(domain, source, Optional.empty(), its));
    }
  }

  private void add(
      String domain, DatasetSource source, Optional<DomainField> field, List<SourceFile> files) {
    if (files.isEmpty()) {
      return;
    }
    IngestSettings settings =
        new IngestSettings(
            domain,
            format(source),
            IngestSettings.DEFAULT_DOCUMENT,
            new Fields(
                source.getTextField(),
                source.getIdField(),
                Optional.empty(),
                Optional.empty(),
                source.getPropertyFields(),
                field),
            Optional.empty());
    byDomain
        .computeIfAbsent(domain, name -> new ArrayList<>())
        .add(new Part(settings, source.getByReference(), new SourceFiles(files, 0, 0)));
  }

  /** The first folder below the one that was named; "" where there is none. */
  private static String folder(String id) {
    String[] parts = id.split("/", -1);
    return parts.length > 2 ? parts[1] : "";
  }

  /** Whether there is nothing to do. */
  public boolean areEmpty() {
    return byDomain.isEmpty() && nobodys.isEmpty();
  }

  /** Size of all files, each as often as it is read. */
  public long bytes() {
    return byDomain.values().stream()
        .flatMap(List::stream)
        .mapToLong(part -> part.files().bytes())
        .sum();
  }
}
