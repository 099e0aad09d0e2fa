package io.sluice.mixture.policy;

import java.util.List;

/** A policy is named that no jar on this process's class path has. */
public final class UnknownPolicyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String policy;

  UnknownPolicyException(String path, List<String> known, String policy) {
    super(path + " must be one of " + known + ": '" + policy + "'");
    this.policy = policy;
  }

  /** What a run that has this policy waits for. */
  public String missing() {
    return "policy '" + policy + "' is not on this process's class path (--plugins DIR)";
  }
}
