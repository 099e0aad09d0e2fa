package io.sluice.djl.measure;

import ai.djl.training.Trainer;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.model.TokenSum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The training loss of every domain since the report before: the token losses of the ordinary
 * steps, before each update, added up. It costs no forward pass of its own.
 *
 * <p>What has gathered is part of a checkpoint, so that a report covers all steps of its round even
 * when the training was resumed within it. A domain without a trained token is left out.
 */
public final class TrainLoss implements StepMeter {
  /** Negative log-likelihood of the batches since the report before; the count is tokens. */
  public static final String METRIC = "train_loss";

  private static final Pattern LINE = Pattern.compile("(\\S+) (\\d+) (.*)");

  private final Map<String, TokenSum> gathered = new TreeMap<>();

  /** Nothing gathered yet. */
  public TrainLoss() {}

  /**
   * Adds the losses of one step.
   *
   * @param losses by domain
   */
  public void add(Map<String, TokenSum> losses) {
    losses.forEach(
        (domain, loss) -> {
          if (loss.count() > 0) {
            gathered.merge(domain, loss, TokenSum::plus);
          }
        });
  }

  /** Gives what has gathered and begins anew. */
  @Override
  public Map<String, Map<String, Total>> measure(Trainer trainer, long step) {
    Map<String, Total> totals = TokenSum.totals(gathered);
    gathered.clear();
    return Map.of(METRIC, totals);
  }

  /** Begins anew: a report covers the steps from now on. */
  public void restart() {
    gathered.clear();
  }

  /** Writes what has gathered: a line for each domain with sum, count and name. */
  public void save(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    gathered.forEach((domain, loss) -> lines.add(loss.sum() + " " + loss.count() + " " + domain));
    Files.write(file, lines);
  }

  /** Takes over what {@link #save} wrote; nothing from a checkpoint without it. */
  public void load(Path file) throws IOException {
    gathered.clear();
    if (!Files.exists(file)) {
      return;
    }
    for (String line : Files.readAllLines(file)) {
      Matcher match = LINE.matcher(line);
      if (!match.matches()) {
        throw new IllegalArgumentException(
            file + " must have lines of sum, count and domain: '" + line + "'");
      }
      gathered.put(
          match.group(3),
          new TokenSum(Double.parseDouble(match.group(1)), Long.parseLong(match.group(2))));
    }
  }

  /** Sends what the training has gathered. */
  public record Factory() implements MeterFactory {
    @Override
    public Set<String> metrics() {
      return Set.of(METRIC);
    }

    @Override
    public StepMeter create(MeterInput input) {
      return input.trainLoss();
    }
  }
}
