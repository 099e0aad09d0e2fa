package io.sluice.cli.rights;

import io.sluice.client.error.UnknownRunException;
import io.sluice.client.run.RunDirectory;
import io.sluice.control.error.BadInputException;
import io.sluice.control.rights.Role;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Of which domain, or run, somebody is the producer, or trainer. */
public final class RoleOptions {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Option(names = "--domain", paramLabel = "NAME", description = "Domain of a producer.")
  private @Nullable String domain;

  @Option(names = "--run", paramLabel = "NAME", description = "Run of a trainer.")
  private @Nullable String run;

  @Option(
      names = "--dataset",
      paramLabel = "NAME",
      description = "Dataset of that run. Default: what the run, which must have started, says.")
  private @Nullable String dataset;

  /** The roles. */
  public enum Name {
    /** MixJob, PrepareJob, RefineJob. */
    JOB,
    /** Who applies and changes datasets and runs. */
    OPERATOR,
    /** Who looks. */
    OBSERVER,
    /** Who ingests into a domain. */
    PRODUCER,
    /** Who trains on a run. */
    TRAINER
  }

  /**
   * The role of a name.
   *
   * @param access asked which dataset a trainer's run mixes, where that is not said
   * @throws BadInputException if the options are not that role's
   */
  public Role role(Name who, Supplier<KafkaAccess> access) {
    if ((who == Name.PRODUCER) != (domain != null)) {
      throw new BadInputException("--domain is of a producer, and a producer has one");
    }
    if ((who == Name.TRAINER) != (run != null) || (dataset != null && run == null)) {
      throw new BadInputException(
          "--run is of a trainer, and a trainer has one; --dataset is that run's");
    }
    return switch (who) {
      case JOB -> new Role.Job();
      case OPERATOR -> new Role.Operator();
      case OBSERVER -> new Role.Observer();
      case PRODUCER -> new Role.Producer(String.valueOf(domain));
      case TRAINER -> new Role.Trainer(String.valueOf(run), mixed(String.valueOf(run), access));
    };
  }

  private String mixed(String run, Supplier<KafkaAccess> access) {
    if (dataset != null) {
      return dataset;
    }
    try {
      return RunDirectory.find(access.get(), run, PATIENCE).spec().getDataset();
    } catch (UnknownRunException e) {
      throw new BadInputException(
          e.getMessage() + "; where this user may not see it, --dataset says what it mixes", e);
    }
  }

  /** Whether any of them is given. */
  public boolean isGiven() {
    return domain != null || run != null || dataset != null;
  }
}
