package io.sluice.cli.storage.delete;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TokenizerFiles;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.segment.InPlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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
  private static final long POLL_NANOS = Duration.ofMillis(200).toNanos();
  private static final int MOST_SECONDS = 3600;

  @Parameters(paramLabel = "NAME", description = "Name of the dataset.")
  private String name = "";

  @Option(
      names = "--timeout",
      defaultValue = "60",
      paramLabel = "SECONDS",
      description =
          "How long the service may take to stop its job, from 1 to 3600. Default:"
              + " ${DEFAULT-VALUE}.")
  private int timeout = 60;

  @Option(
      names = "--jobs-stopped",
      description =
          "No service runs, and the job that prepares the dataset was stopped otherwise. Do not"
              + " wait until one says so.")
  private boolean jobsStopped;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if (timeout < 1 || timeout > MOST_SECONDS) {
      throw new BadInputException("--timeout must be from 1 to " + MOST_SECONDS + ": " + timeout);
    }
    KafkaAccess access = access();
    Holders.requireOwn(access.topics(), "dataset '" + name + "'");
    DatasetCatalog catalog = new DatasetCatalog(access);
    DatasetSpec dataset = catalog.require(name);
    Purges purges = new Purges(access);
    purges.requireDataset(name);
    requireUnneeded(access);
    Found found = Found.now(access);
    withdraw(access, catalog, dataset, purges);
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

  /** Takes the dataset out, and waits until nothing writes its topics; or it is back. */
  private void withdraw(
      KafkaAccess access, DatasetCatalog catalog, DatasetSpec dataset, Purges purges) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensurePurges();
    }
    purges.askToLeave(name);
    catalog.delete(name);
    try {
      if (!jobsStopped) {
        awaitLeft(purges);
      }
      // A run that was asked for before has come to its log by now.
      requireUnneeded(access);
      purges.sayLeft(name);
    } catch (BadInputException | UnreachableException e) {
      catalog.publish(dataset);
      throw e;
    }
  }

  private void awaitLeft(Purges purges) {
    long since = System.nanoTime();
    while (!purges.hasLeft(name)) {
      if (System.nanoTime() - since > Duration.ofSeconds(timeout).toNanos()) {
        throw new UnreachableException(
            "no service has said within "
                + timeout
                + " s that it does not prepare '"
                + name
                + "' any more: where none runs, and you have stopped its job yourself, say"
                + " --jobs-stopped; nothing was deleted");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
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
    List<String> left = new ArrayList<>();
    Holders holders = Found.holders(access);
    for (String domain : InPlace.without(dataset).getDomains()) {
      List<String> others = holders.ofDomain(domain);
      left.add(
          "domain "
              + domain
              + " stays: "
              + (others.isEmpty()
                  ? "nothing else needs it, and 'sluice domain delete " + domain + "' frees it"
                  : Holders.need(others)));
    }
    if (!dataset.getStore().isEmpty()) {
      left.add("its store " + dataset.getStore() + " keeps its rows, in " + dataset.getName());
    }
    return left;
  }
}
