package io.sluice.cli.storage.delete;

import io.sluice.cli.ingest.corpus.LiveIngests;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.TakeOver;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.error.BadInputException;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sluice domain delete}. */
@Command(
    name = "delete",
    description =
        "Delete the documents of a domain that no dataset and no refinery names, and what is known"
            + " of its files: who ingests them again, begins anew. Dead letters stay.")
public final class DeleteDomain extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Mixin private TakeOver takeOver = new TakeOver();

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    KafkaAccess access = access();
    Holders.requireOwn(access.topics(), "domain '" + name + "'");
    Set<String> known = new CorpusEnds(access).domains();
    if (!known.contains(name)) {
      throw new BadInputException(
          "domain must be one of "
              + new TreeSet<>(known)
              + ", which have documents: '"
              + name
              + "'");
    }
    new Purges(access).requireDomain(name);
    requireUnneeded(access);
    LiveIngests.requireNoneNow(access, name, takeOver.wanted());
    Found found = Found.now(access);
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.deleteCorpus(name);
    }
    LiveIngests.forget(access, name);
    Deleted deleted =
        new Deleted(
            "domain",
            name,
            found.of(List.of(access.topics().corpus(name))),
            found.why(),
            List.of());
    json.write(deleted.view());
    print(deleted.lines());
  }

  private void requireUnneeded(KafkaAccess access) {
    List<String> holders = Found.holders(access).ofDomain(name);
    if (!holders.isEmpty()) {
      throw new BadInputException(
          "domain '"
              + name
              + "' is needed by "
              + String.join(", ", holders)
              + ": 'sluice dataset delete NAME' deletes a dataset that no run needs, 'sluice"
              + " refine delete NAME' a refinery");
    }
  }
}
