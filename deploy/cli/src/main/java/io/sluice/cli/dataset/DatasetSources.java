package io.sluice.cli.dataset;

import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.OptionReader;
import io.sluice.control.error.BadInputException;
import io.sluice.corpus.store.FileStores;
import io.sluice.schema.DatasetSource;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The sources of a {@code dataset.yaml}. */
final class DatasetSources {
  static final int MOST = 1000;
  private static final int MOST_NAMES = 10_000;

  private DatasetSources() {}

  /**
   * Reads them.
   *
   * @param domains of the dataset
   * @param file that they are in, below whose folder paths are
   * @throws BadInputException naming the key, what is allowed and what was found
   */
  static List<DatasetSource> read(List<ConfigSection> sections, List<String> domains, String file) {
    List<DatasetSource> sources = new ArrayList<>();
    if (sections.size() > MOST) {
      throw invalid(file, "sources", "at most " + MOST, "" + sections.size());
    }
    for (ConfigSection section : sections) {
      OptionReader reader = new OptionReader(section);
      DatasetSource source = source(reader, reader.get(SourceOptions.DOMAIN), file);
      reader.requireNoOther();
      String key = "sources[" + sources.size() + "]";
      require(source, key, domains, file);
      SourceTopic.require(source, key, file);
      sources.add(source);
    }
    return List.copyOf(sources);
  }

  private static DatasetSource source(
      OptionReader reader, SourceOptions.Domain domain, String file) {
    return DatasetSource.newBuilder()
        .setPath(path(reader.get(SourceOptions.PATH), file))
        .setFormat(reader.get(SourceOptions.FORMAT))
        .setTextField(reader.get(SourceOptions.TEXT_FIELD))
        .setIdField(reader.get(SourceOptions.ID_FIELD))
        .setPropertyFields(reader.get(SourceOptions.PROPERTY_FIELDS))
        .setByReference(reader.get(SourceOptions.BY_REFERENCE).equals("true"))
        .setInPlace(reader.get(SourceOptions.IN_PLACE).equals("true"))
        .setDomain(domain.name())
        .setDomainColumn(domain.column())
        .setDomainNames(domain.names())
        .setTopic(reader.get(SourceTopic.TOPIC))
        .setTopicFormat(reader.get(SourceTopic.TOPIC_FORMAT))
        .setTopicServers(reader.get(SourceTopic.SOURCE_KAFKA))
        .setTopicConfig(path(reader.get(SourceTopic.SOURCE_KAFKA_CONFIG), file))
        .setSchemaRegistry(reader.get(SourceTopic.SCHEMA_REGISTRY))
        .build();
  }

  private static String path(String path, String file) {
    if (path.isEmpty() || FileStores.isRemote(path)) {
      return path;
    }
    try {
      Path folder = Path.of(file).toAbsolutePath().getParent();
      return (folder == null ? Path.of(path) : folder.resolve(path)).normalize().toString();
    } catch (InvalidPathException e) {
      throw invalid(file, "sources", "paths", "'" + path + "'");
    }
  }

  private static void require(DatasetSource source, String key, List<String> domains, String file) {
    List<String> named = new ArrayList<>(source.getDomainNames().values());
    if (!source.getDomain().isEmpty()) {
      named.add(source.getDomain());
    }
    for (String domain : named) {
      if (!domains.contains(domain)) {
        throw invalid(file, key + ".domain", "one of " + domains, "'" + domain + "'");
      }
    }
    if (named.size() > MOST_NAMES) {
      throw invalid(file, key + ".domain", "at most " + MOST_NAMES + " names", "" + named.size());
    }
    String column = source.getDomainColumn();
    boolean hasColumns = List.of("auto", "jsonl", "parquet").contains(source.getFormat());
    if (!column.isEmpty() && !hasColumns) {
      throw invalid(file, key + ".format", "jsonl or parquet", source.getFormat());
    }
    boolean hasProperties = List.of("jsonl", "parquet").contains(source.getFormat());
    if (!source.getPropertyFields().isEmpty() && !hasProperties) {
      throw invalid(
          file, key + ".format", "jsonl or parquet with property-fields", source.getFormat());
    }
    boolean copied = !column.isEmpty() || !source.getPropertyFields().isEmpty();
    if (source.getByReference() && copied) {
      throw invalid(
          file, key + ".by-reference", "false with property-fields or a domain by column", "true");
    }
    if (column.equals(source.getTextField()) || column.equals(source.getIdField())) {
      throw invalid(
          file, key + ".domain.column", "neither the text's nor the id's", "'" + column + "'");
    }
  }

  static BadInputException invalid(String file, String key, String allowed, String found) {
    return new BadInputException(file + ": " + key + " must be " + allowed + ": found " + found);
  }
}
