package io.sluice.cli.storage.delete;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TokenizerFiles;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.segment.InPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sluice dataset delete}. */
@Command(
    name = "delete",
    description = {
      "Delete a dataset that no run needs: its blocks, evaluation sets and what is said of them."
          + " Documents stay in the corpora of its domains, and rows in its store.",
      "Every run over it must have been deleted. The service stops preparing it; its name is not"
          + " used again."
    })
public final class DeleteDataset extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Name of the dataset.")
  private String name = "";

  @Mixin private Leaving leaving = new Leaving();

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    leaving.require();
    KafkaAccess access = access();
    Holders.requireOwn(access.topics(), "dataset '" + name + "'");
    DatasetCatalog catalog = new DatasetCatalog(access);
    DatasetSpec dataset = catalog.require(name);
    new Purges(access).requireDataset(name);
    requireUnneeded(access);
    Found found = Found.now(access);
    leaving.withdraw(access, name, "prepare '" + name + "'", entry(access, catalog, dataset));
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.deleteDataset(dataset);
    }
    forgetTokenizer(access, catalog, dataset);
    OptionalLong freed = found.of(TopicInspection.datasetTopics(access.topics(), dataset));
    Deleted deleted = new Deleted("dataset", name, freed, found.why(), left(access, dataset));
    json.write(deleted.view());
    print(deleted.lines());
  }

  private void requireUnneeded(KafkaAccess access) {
    List<String> holders = Found.holders(access).ofDataset(name);
    if (!holders.isEmpty()) {
      throw new BadInputException(
          "dataset '"
              + name
              + "' is needed by "
              + String.join(", ", holders)
              + ": 'sluice run delete NAME' deletes each");
    }
  }

  private Leaving.Entry entry(KafkaAccess access, DatasetCatalog catalog, DatasetSpec dataset) {
    return new Leaving.Entry() {
      @Override
      public void takeOut() {
        catalog.delete(name);
      }

      @Override
      public void putBack() {
        catalog.publish(dataset);
      }

      @Override
      public void requireUnneeded() {
        DeleteDataset.this.requireUnneeded(access);
      }
    };
  }

  /** The tokenizer's file may be another dataset's, too. */
  private static void forgetTokenizer(
      KafkaAccess access, DatasetCatalog catalog, DatasetSpec dataset) {
    String sha256 = dataset.getTokenizerSha256();
    if (!sha256.isEmpty()
        && catalog.all().stream().noneMatch(each -> each.getTokenizerSha256().equals(sha256))) {
      new TokenizerFiles(access).delete(sha256);
    }
  }

  private static List<String> left(KafkaAccess access, DatasetSpec dataset) {
    List<String> left =
        new ArrayList<>(Found.holders(access).staying(InPlace.without(dataset).getDomains()));
    if (!dataset.getStore().isEmpty()) {
      left.add("its store " + dataset.getStore() + " keeps its rows, in " + dataset.getName());
    }
    return left;
  }
}
