package io.sluice.cli.storage.delete;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.purge.Purges;
import io.sluice.control.refine.Refineries;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sluice refine delete}. */
@Command(
    name = "delete",
    description = {
      "Delete a refinery: what it decided, and what an endpoint answered it. Documents stay in the"
          + " corpora of its domains, which get no more.",
      "The service stops refining; the refinery's name is not used again."
    })
public final class DeleteRefinery extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Name of the refinery.")
  private String name = "";

  @Mixin private Leaving leaving = new Leaving();

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    leaving.require();
    KafkaAccess access = access();
    Holders.requireOwn(access.topics(), "refinery '" + name + "'");
    Refineries refineries = new Refineries(access);
    RefineSpec refinery = refineries.require(name);
    requireNotPurged(access, refinery);
    Found found = Found.now(access);
    leaving.withdraw(
        access, Purges.ofRefinery(name), "run '" + name + "'", entry(access, refineries, refinery));
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.deleteRefinery(name);
    }
    Deleted deleted =
        new Deleted(
            "refinery",
            name,
            found.of(TopicInspection.refineryTopics(access.topics(), name)),
            found.why(),
            Found.holders(access).staying(refinery.getDomains()));
    json.write(deleted.view());
    print(deleted.lines());
  }

  private static void requireNotPurged(KafkaAccess access, RefineSpec refinery) {
    Purges purges = new Purges(access);
    refinery.getInputs().forEach(purges::requireDomain);
    refinery.getDomains().forEach(purges::requireDomain);
  }

  private static Leaving.Entry entry(
      KafkaAccess access, Refineries refineries, RefineSpec refinery) {
    return new Leaving.Entry() {
      @Override
      public void takeOut() {
        refineries.delete(refinery.getName());
      }

      @Override
      public void putBack() {
        refineries.publish(refinery);
      }

      @Override
      public void requireUnneeded() {
        requireNotPurged(access, refinery);
      }
    };
  }
}
