package io.sluice.cli.refine;

import io.sluice.cli.options.CliCommand;
import io.sluice.control.refine.Refineries;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.RefineSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Publishes a refinery. Applying the same file again changes nothing; whatever would change its
 * documents needs another name.
 */
@Command(
    name = "apply",
    description = "Publish the refinery of a file; the service begins to refine.")
final class ApplyRefinery extends CliCommand {
  @Mixin private FileOption file = new FileOption();

  @Override
  public void run() {
    RefineSpec wanted = file.read();
    Refineries refineries = RefineCommand.refineries(access());
    RefineChanges.Change change = new RefineChanges(access(), refineries).of(wanted);
    if (change == RefineChanges.Change.NONE) {
      out().println("refinery " + wanted.getName() + " is unchanged");
      return;
    }
    try (TopicAdmin admin = new TopicAdmin(access())) {
      admin.ensureRefinery(wanted);
    }
    refineries.publish(wanted);
    out()
        .println(
            "refinery "
                + wanted.getName()
                + (change == RefineChanges.Change.NEW
                    ? " is published"
                    : " is changed: where its models are, or how its endpoint is asked"));
  }
}
