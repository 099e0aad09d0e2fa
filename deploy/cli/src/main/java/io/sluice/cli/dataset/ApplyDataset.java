package io.sluice.cli.dataset;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TokenizerFiles;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.tokenizer.TokenizerStore;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Publishes a dataset. Applying the same file again changes nothing; a dataset may gain domains,
 * but whatever would change a block needs another name.
 */
@Command(
    name = "apply",
    description = "Publish the dataset of a file; the service begins to prepare it.")
public final class ApplyDataset extends CliCommand {
  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "The dataset, in YAML.")
  private Path file = Path.of("dataset.yaml");

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    AppliedDataset applied = publish(access(), DatasetFile.read(file));
    json.write(applied);
    print(applied.lines());
  }

  /**
   * Publishes the dataset, and makes its topics.
   *
   * @return what was done, for a person
   * @throws BadInputException if a dataset of that name has other blocks or more domains, or
   *     documents of its domains are being purged
   */
  public static String apply(KafkaAccess access, DatasetSpec resolved) {
    return publish(access, resolved).line();
  }

  private static AppliedDataset publish(KafkaAccess access, DatasetSpec resolved) {
    DatasetCatalog catalog = DatasetCommand.catalog(access);
    Optional<DatasetSpec> existing = catalog.find(resolved.getName());
    DatasetSpec wanted = wanted(existing, resolved);
    List<String> changes =
        existing.map(before -> DatasetChanges.between(before, wanted)).orElse(List.of());
    Purges purges = new Purges(access);
    if (existing.isEmpty()) {
      requireNew(wanted.getName(), purges.hasLeft(wanted.getName()));
    }
    purges.requireDataset(wanted.getName());
    wanted.getDomains().forEach(purges::requireDomain);
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureDataset(wanted);
    }
    publishTokenizer(access, wanted);
    AppliedDataset.Outcome outcome =
        existing.isEmpty()
            ? AppliedDataset.Outcome.NEW
            : changes.isEmpty() ? AppliedDataset.Outcome.UNCHANGED : AppliedDataset.Outcome.CHANGED;
    if (outcome != AppliedDataset.Outcome.UNCHANGED) {
      catalog.publish(wanted);
    }
    return AppliedDataset.of(wanted, outcome, changes, resolved.getDocumentIds());
  }

  /**
   * What a file asks for where a dataset of its name exists, by whose rules it is made.
   *
   * @param resolved what the file comes to where none exists
   * @throws BadInputException if the one that exists has other blocks or more domains
   */
  public static DatasetSpec wanted(Optional<DatasetSpec> existing, DatasetSpec resolved) {
    if (existing.isEmpty()) {
      return resolved;
    }
    DatasetSpec before = existing.get();
    DatasetSpec wanted = DatasetSpecs.withRulesOf(before, resolved);
    requireSameBlocks(before, wanted, DatasetChanges.between(before, wanted));
    InPlaceSources.requireSame(before, wanted);
    return wanted;
  }

  /**
   * Refuses the name of a dataset that was deleted: MixJob knows how many blocks it had, and relies
   * on that.
   *
   * @throws BadInputException if one was
   */
  public static void requireNew(String name, boolean wasDeleted) {
    if (wasDeleted) {
      throw new BadInputException(
          "dataset '"
              + name
              + "' was deleted, and jobs know its blocks: give this one another name");
    }
  }

  /** Puts the tokenizer's file, if it has one, where everybody finds it who reads the dataset. */
  private static void publishTokenizer(KafkaAccess access, DatasetSpec wanted) {
    String sha256 = wanted.getTokenizerSha256();
    if (!sha256.isEmpty()) {
      try {
        byte[] file = TokenizerStore.of(access).content(wanted.getTokenizer(), sha256);
        new TokenizerFiles(access).publish(file);
      } catch (IllegalArgumentException e) {
        throw new BadInputException("dataset '" + wanted.getName() + "': " + e.getMessage(), e);
      }
    }
  }

  private static void requireSameBlocks(
      DatasetSpec before, DatasetSpec wanted, List<String> changes) {
    boolean sameBlocks = before.getFingerprint() == wanted.getFingerprint();
    boolean keepsDomains = new HashSet<>(wanted.getDomains()).containsAll(before.getDomains());
    if (!sameBlocks || !keepsDomains) {
      throw new BadInputException(
          "dataset '"
              + wanted.getName()
              + "' exists and may only gain domains; for this change give it another name: "
              + String.join("; ", changes));
    }
  }
}
