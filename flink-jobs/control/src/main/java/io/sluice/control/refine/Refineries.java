package io.sluice.control.refine;

import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.SpecTable;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import java.util.List;
import java.util.Optional;

/**
 * The deployment's refineries: the last specification of each name, whose topic must exist. Every
 * method throws {@link io.sluice.schema.KafkaUnreachableException} when no broker answers in time.
 */
public record Refineries(KafkaAccess kafka) {
  /** Adds or replaces one; returns once the broker has it. */
  public void publish(RefineSpec spec) {
    table().publish(spec);
  }

  /** Takes the one of that name out; returns once the broker has it. */
  public void delete(String name) {
    table().delete(name);
  }

  /** Every one, by name. */
  public List<RefineSpec> all() {
    return table().all();
  }

  /** The one of that name, if there is one. */
  public Optional<RefineSpec> find(String name) {
    return all().stream().filter(spec -> spec.getName().equals(name)).findFirst();
  }

  /**
   * The one of that name.
   *
   * @throws BadInputException if there is none, listing those there are
   */
  public RefineSpec require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new BadInputException(
                    "refinery must be one of "
                        + all().stream().map(RefineSpec::getName).toList()
                        + ": '"
                        + name
                        + "'"));
  }

  /**
   * Refuses a domain that one writes, for whoever would write to it, too.
   *
   * @throws BadInputException naming the refinery
   */
  public void requireNotWritten(String domain) {
    all().stream()
        .filter(spec -> spec.getDomains().contains(domain))
        .findFirst()
        .ifPresent(
            spec -> {
              throw new BadInputException(
                  "domain must be one that no refinery writes: '"
                      + domain
                      + "' is made by refinery '"
                      + spec.getName()
                      + "' of "
                      + spec.getInputs());
            });
  }

  /** One that reads or writes a domain, if there is one. */
  public Optional<RefineSpec> of(String domain) {
    return all().stream()
        .filter(spec -> spec.getDomains().contains(domain) || spec.getInputs().contains(domain))
        .findFirst();
  }

  private SpecTable<RefineSpec> table() {
    return new SpecTable<>(
        kafka, kafka.topics().refineries(), RefineSpec.class, RefineSpec::getName);
  }
}
