package io.sluice.control.topics;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import java.util.List;
import java.util.Optional;

/**
 * The deployment's datasets: the last specification of each name on the {@code datasets} topic,
 * which must exist. Every method throws {@link KafkaUnreachableException} when no broker answers in
 * time.
 */
public record DatasetCatalog(KafkaAccess kafka) {
  /** Adds or replaces a dataset; returns once the broker has it. */
  public void publish(DatasetSpec spec) {
    table().publish(spec);
  }

  /** Takes the dataset of that name out; returns once the broker has it. */
  public void delete(String name) {
    table().delete(name);
  }

  /** The dataset of that name, if there is one. */
  public Optional<DatasetSpec> find(String name) {
    return all().stream().filter(spec -> spec.getName().equals(name)).findFirst();
  }

  /**
   * The dataset of that name.
   *
   * @throws BadInputException if there is none, listing those there are
   */
  public DatasetSpec require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new BadInputException(
                    "dataset must be one of "
                        + all().stream().map(DatasetSpec::getName).toList()
                        + ": '"
                        + name
                        + "'"));
  }

  /** Every dataset, by name. */
  public List<DatasetSpec> all() {
    return table().all();
  }

  private SpecTable<DatasetSpec> table() {
    return new SpecTable<>(
        kafka, kafka.topics().datasets(), DatasetSpec.class, DatasetSpec::getName);
  }
}
