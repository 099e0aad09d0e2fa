package io.sluice.cli.sweep;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.BadInputException;
import io.sluice.mixture.law.MixingLaw;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice fit-mixture}. */
@Command(
    name = "fit-mixture",
    description =
        "Fit a law of each domain's loss to the mixtures of a sweep, say how well it predicts what it"
            + " was not fitted to, and which mixture ends with the least loss by it: the mean of the"
            + " best of many that are drawn as the sweep's were.")
public final class FitMixtureCommand extends CliCommand {
  private static final Map<String, MixingLaw.Form> FORMS =
      Map.of("log-linear", MixingLaw.Form.LOG_LINEAR, "linear", MixingLaw.Form.LINEAR);

  @Parameters(paramLabel = "FILE", description = "What sluice sweep --json wrote.")
  private Path file = Path.of("");

  @Option(
      names = "--law",
      paramLabel = "NAME",
      description =
          "log-linear (Data Mixing Laws, Olmix) or linear (RegMix). Default: ${DEFAULT-VALUE}.")
  private String law = "log-linear";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    MixingLaw.Form form =
        Optional.ofNullable(FORMS.get(law.toLowerCase(Locale.ROOT)))
            .orElseThrow(
                () -> new BadInputException("--law must be log-linear or linear: '" + law + "'"));
    try {
      MixtureFit fit = MixtureFit.of(SweepJson.read(file), form);
      json.write(fit);
      print(fit.lines());
    } catch (IllegalArgumentException e) {
      throw new BadInputException(file + ": " + e.getMessage(), e);
    }
  }
}
