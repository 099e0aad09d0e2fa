package io.sluice.cli.ingest.source;

import io.sluice.control.error.BadInputException;
import io.sluice.corpus.file.FileStore;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import java.util.List;

/** The path of one of a dataset's sources. */
public record SourcePath(DatasetSpec dataset, DatasetSource source) {
  /**
   * The files that are there now, of which there may be none.
   *
   * @throws BadInputException naming the source, if they cannot be looked for
   */
  public SourceFiles files(FileStore store) {
    try {
      return SourceFiles.now(store, List.of(source.getPath()), false);
    } catch (BadInputException e) {
      throw new BadInputException(named(String.valueOf(e.getMessage())), e);
    }
  }

  /** What is said of a path, with the key of the dataset's file for an argument's name. */
  String named(String said) {
    String key = "sources[" + dataset.getSources().indexOf(source) + "].path";
    return said.startsWith("PATH ") ? key + said.substring(4) : key + ": " + said;
  }
}
