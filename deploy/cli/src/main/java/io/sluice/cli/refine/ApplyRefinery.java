package io.sluice.cli.refine;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.refine.Refineries;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.RefineSpec;
import java.util.List;
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

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    RefineSpec wanted = file.read();
    Refineries refineries = RefineCommand.refineries(access());
    RefineChanges.Change change = new RefineChanges(access(), refineries).of(wanted);
    if (change != RefineChanges.Change.NONE) {
      try (TopicAdmin admin = new TopicAdmin(access())) {
        admin.ensureRefinery(wanted);
      }
      refineries.publish(wanted);
    }
    json.write(new Applied(wanted.getName(), change.word()));
    print(List.of("refinery " + wanted.getName() + " is " + done(change)));
  }

  /**
   * What was done.
   *
   * @param change that publishing it was
   */
  private record Applied(String refinery, String change) {}

  private static String done(RefineChanges.Change change) {
    return switch (change) {
      case NONE -> "unchanged";
      case NEW -> "published";
      case NOT_DOCUMENTS -> "changed: where its models are, or how its endpoint is asked";
    };
  }
}
