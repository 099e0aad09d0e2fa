package io.sluice.refine.classify;

import java.util.List;
import java.util.Optional;

/**
 * What training gives.
 *
 * @param heldOut measured with the texts that were held out; empty if none were
 * @param sampled labels of which not all texts had room
 */
public record TrainedClassifier(
    LinearClassifier classifier, Optional<Evaluation> heldOut, List<String> sampled) {
  /** Copies the list. */
  public TrainedClassifier {
    sampled = List.copyOf(sampled);
  }
}
