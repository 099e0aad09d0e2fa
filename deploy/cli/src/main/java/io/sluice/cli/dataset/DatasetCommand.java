package io.sluice.cli.dataset;

import io.sluice.cli.options.CommandGroup;
import io.sluice.cli.storage.delete.DeleteDataset;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import picocli.CommandLine.Command;

/** The commands on datasets. */
@Command(
    name = "dataset",
    description = "Datasets: what turns documents into blocks.",
    subcommands = {
      ApplyDataset.class,
      DeleteDataset.class,
      IndexDataset.class,
      ListDatasets.class,
      ShowDataset.class,
      ValidateDataset.class
    })
public final class DatasetCommand extends CommandGroup {
  /**
   * The catalog of a deployment that is there.
   *
   * @throws io.sluice.control.error.MissingTopicException if nothing is below its prefix
   */
  static DatasetCatalog published(KafkaAccess access) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.require(access.topics().datasets());
    }
    return new DatasetCatalog(access);
  }

  /** The catalog of a deployment, whose topics are made when missing. */
  static DatasetCatalog catalog(KafkaAccess access) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
    }
    return new DatasetCatalog(access);
  }
}
