package io.sluice.mixture.simulate.scenario;

/** What a scenario trains. */
public sealed interface Model {
  /** The greatest alignment of domains that are learnt by laws, as in low-data. */
  double MOST_ALIGNED = .02;

  /** A model that learns each domain by its law, with repeats and alignments as invented. */
  Model LAWS = new Laws(.6, 4, .02, MOST_ALIGNED);

  /**
   * A model that learns each domain by its {@link LearnerLaw}.
   *
   * @param repeatValue what a pass is worth beside the one before it, in [0, 1]
   * @param overfitAfter passes beyond this many over-fit, at least 0
   * @param overfitSlope nats that each pass beyond those adds, at least 0
   * @param mostAligned alignment of the domain that teaches most, above 0 and at most 1
   */
  record Laws(double repeatValue, double overfitAfter, double overfitSlope, double mostAligned)
      implements Model {
    /** Checks the ranges. */
    public Laws {
      require(repeatValue >= 0 && repeatValue <= 1, "repeat-value", repeatValue);
      require(overfitAfter >= 0, "overfit-after", overfitAfter);
      require(overfitSlope >= 0, "overfit-slope", overfitSlope);
      require(mostAligned > 0 && mostAligned <= 1, "most-aligned", mostAligned);
    }
  }

  /**
   * A model whose parameters all domains share, see {@link SharedModel}.
   *
   * @param centres of each domain in those parameters
   * @param beginning what every parameter is before training
   * @param rate what is left of the way to the mixture's optimum after a billion tokens is 1 / e to
   *     this; above 0
   */
  record Shared(double[][] centres, double beginning, double rate) implements Model {
    /** Checks the rate. */
    public Shared {
      require(rate > 0, "rate", rate);
    }
  }

  /**
   * A model that is trained on a finite sample of every domain, see {@link SampledModel}.
   *
   * @param parameters of the model, at least 1
   * @param samples of each domain: its tokens are these; at least 1
   * @param decay of the inputs' variances: that of the x-th is x to the power −decay
   * @param reducible nats that training can take off a domain's loss
   * @param common part of the variances that all domains have in the same inputs, in [0, 1]
   * @param conflict part of what a domain teaches that is true of it alone, in [0, 1]
   * @param step of the optimizer as a share of the largest stable one, above 0 and below 1
   */
  record Sampled(
      int parameters,
      int samples,
      double decay,
      double reducible,
      double common,
      double conflict,
      double step)
      implements Model {
    /** Checks the ranges. */
    public Sampled {
      require(parameters >= 1, "parameters", parameters);
      require(samples >= 1, "samples", samples);
      require(common >= 0 && common <= 1, "common", common);
      require(conflict >= 0 && conflict <= 1, "conflict", conflict);
      require(step > 0 && step < 1, "step", step);
    }
  }

  private static void require(boolean holds, String what, double actual) {
    if (!holds) {
      throw new IllegalArgumentException("a model's " + what + " is out of range: " + actual);
    }
  }
}
