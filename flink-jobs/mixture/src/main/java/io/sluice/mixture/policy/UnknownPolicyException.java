package io.sluice.mixture.policy;

import java.util.List;

/** A policy is named that no jar on this process's class path has. */
public final class UnknownPolicyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String policy;

  UnknownPolicyException(String path, List<String> known, String policy) {
    super(
        path + " must be one of " + known + ", or be in a jar of --plugins DIR: '" + policy + "'");
    this.policy = policy;
  }

  /**
   * What is missed.
   *
   * @param process whose class path lacks it, such as 'the job'
   */
  public String missingFrom(String process) {
    return "policy '" + policy + "' is not on the class path of " + process + " (--plugins DIR)";
  }
}
