package io.sluice.cli.rights;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.rights.Right;
import io.sluice.control.rights.RightsAdmin;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice rights}. */
@Command(
    name = "rights",
    description =
        "The least that a role may do on Kafka, as commands of Kafka's own tool, as a user of Strimzi, or"
            + " given to a user at once. What a role's work needs of topics must be there before it"
            + " begins: only an operator makes them.")
public final class RightsCommand extends CliCommand {
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9._@=,-]{1,200}");
  private static final Pattern KUBERNETES = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

  @Parameters(
      paramLabel = "ROLE",
      description = "job, operator, observer, producer of a domain, or trainer of a run.")
  private RoleOptions.Name who = RoleOptions.Name.OBSERVER;

  @Option(
      names = "--user",
      required = true,
      paramLabel = "NAME",
      description = "Whose rights they are: Kafka's principal without User:.")
  private String user = "";

  @Mixin private RoleOptions options = new RoleOptions();

  @ArgGroup private @Nullable Form form;

  private static final class Form {
    @Option(
        names = "--strimzi",
        paramLabel = "CLUSTER",
        description = "Print a KafkaUser of this cluster of Strimzi.")
    private @Nullable String strimzi;

    @Option(
        names = "--apply",
        description = "Give the rights to the user now; takes the right to alter the cluster.")
    private boolean apply;
  }

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    require("--user", USER, user);
    List<Right> rights = options.role(who, this::access).rights(global().topics());
    json.write(new Report(user, rights.stream().map(RightsCommand::report).toList()));
    RightsText text = new RightsText(user, rights);
    if (form == null) {
      print(
          text.commands(
              global().namesKafka() ? global().access().bootstrapServers() : "HOST:PORT"));
    } else if (form.strimzi != null) {
      require("--strimzi", KUBERNETES, form.strimzi);
      require("--user", KUBERNETES, user);
      print(text.strimzi(form.strimzi));
    } else if (form.apply) {
      RightsAdmin.give(access(), "User:" + user, rights);
      print(List.of(user + " may do what " + rights.size() + " rights say"));
    }
  }

  /** Whose rights they are, and which. */
  private record Report(String user, List<Map<String, Object>> rights) {}

  private static Map<String, Object> report(Right right) {
    return Map.of(
        "type", right.type(),
        "pattern", right.pattern(),
        "name", right.name(),
        "operations", right.operations());
  }

  private static void require(String option, Pattern form, String value) {
    if (!form.matcher(value).matches()) {
      throw new BadInputException(option + " must match " + form + ": '" + value + "'");
    }
  }
}
