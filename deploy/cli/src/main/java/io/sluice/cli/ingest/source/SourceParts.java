package io.sluice.cli.ingest.source;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.DomainField;
import io.sluice.control.line.Fields;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.FileStore;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.file.StoredFile;
import io.sluice.corpus.file.UnreadFile;
import io.sluice.corpus.store.FileStores;
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
   * What of one source is for one domain.
   *
   * @param byReference whether texts stay where they are
   * @param files none, if it is a topic
   * @param topic the source, if its documents are a topic's records
   */
  public record Part(
      IngestSettings settings,
      boolean byReference,
      SourceFiles files,
      Optional<DatasetSource> topic) {
    /** The same where a domain tells what is of none. */
    public Part toldBy(String domain) {
      return new Part(settings.toldBy(domain), byReference, files, topic);
    }
  }

  /** Of no source yet. */
  public SourceParts() {
    this(new LinkedHashMap<>(), new ArrayList<>());
  }

  /** How a source's files are divided into documents. */
  public static Format format(DatasetSource source) {
    return Format.valueOf(source.getFormat().toUpperCase(Locale.ROOT));
  }

  /** Adds a source that is a topic. */
  public void add(DatasetSource topic) {
    IngestSettings settings = settings(topic.getDomain(), topic, Optional.empty());
    add(new Part(settings, false, new SourceFiles(List.of(), 0, 0), Optional.of(topic)));
  }

  /** Adds a source's files. */
  public void add(DatasetSpec dataset, DatasetSource source, SourceFiles files) {
    if (!source.getDomain().isEmpty()) {
      add(source.getDomain(), source, Optional.empty(), files.files());
    } else if (!source.getDomainColumn().isEmpty()) {
      for (String domain : dataset.getDomains()) {
        add(domain, source, Optional.of(field(dataset, source, domain)), files.files());
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

  /**
   * Adds the files that a source has now. If it has none, or cannot be read, each domain of which
   * it may have documents gives it up, and one of them tells why.
   */
  public void add(DatasetSpec dataset, DatasetSource source, FileStore store) {
    try {
      add(dataset, source, SourceFiles.below(store, List.of(source.getPath()), false));
    } catch (BadInputException e) {
      giveUp(
          dataset, source, new SourcePath(dataset, source).named(String.valueOf(e.getMessage())));
    }
  }

  private void giveUp(DatasetSpec dataset, DatasetSource source, String reason) {
    String path = source.getPath();
    StoredFile unread = new UnreadFile(path, FileStores.location("", path), reason);
    List<SourceFile> failed = List.of(new SourceFile(unread, path, true));
    if (!source.getDomain().isEmpty()) {
      add(source.getDomain(), source, Optional.empty(), failed);
      return;
    }
    for (String domain : dataset.getDomains()) {
      add(domain, source, Optional.of(field(dataset, source, domain)), failed);
    }
  }

  private static DomainField field(DatasetSpec dataset, DatasetSource source, String domain) {
    return new DomainField(
        source.getDomainColumn(), source.getDomainNames(), dataset.getDomains(), domain);
  }

  private void add(
      String domain, DatasetSource source, Optional<DomainField> field, List<SourceFile> files) {
    if (files.isEmpty()) {
      return;
    }
    add(
        new Part(
            settings(domain, source, field),
            source.getByReference(),
            new SourceFiles(files, 0, 0),
            Optional.empty()));
  }

  private void add(Part part) {
    byDomain.computeIfAbsent(part.settings().domain(), name -> new ArrayList<>()).add(part);
  }

  private static IngestSettings settings(
      String domain, DatasetSource source, Optional<DomainField> field) {
    return new IngestSettings(
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

  /** Size of all files, each as often as it is read; -1 if there are topics. */
  public long bytes() {
    if (byDomain.values().stream().flatMap(List::stream).anyMatch(p -> p.topic().isPresent())) {
      return -1;
    }
    return byDomain.values().stream()
        .flatMap(List::stream)
        .mapToLong(part -> part.files().bytes())
        .sum();
  }
}
