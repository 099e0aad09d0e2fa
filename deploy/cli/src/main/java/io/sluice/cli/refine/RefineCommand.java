package io.sluice.cli.refine;

import io.sluice.cli.options.CommandGroup;
import io.sluice.cli.storage.delete.DeleteRefinery;
import io.sluice.control.refine.Refineries;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import picocli.CommandLine.Command;

/** The commands on refineries. */
@Command(
    name = "refine",
    description = "Refineries: what makes domains out of the documents of others.",
    subcommands = {
      ApplyRefinery.class,
      DeleteRefinery.class,
      ListRefineries.class,
      PlanRefinery.class,
      ShowRefinery.class,
      ValidateRefinery.class
    })
public final class RefineCommand extends CommandGroup {
  /**
   * The refineries of a deployment that is there.
   *
   * @throws io.sluice.control.error.MissingTopicException if nothing is below its prefix
   */
  static Refineries published(KafkaAccess access) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.require(access.topics().refineries());
    }
    return new Refineries(access);
  }

  /** The refineries of a deployment, whose table is made when missing. */
  static Refineries refineries(KafkaAccess access) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
    }
    return new Refineries(access);
  }
}
