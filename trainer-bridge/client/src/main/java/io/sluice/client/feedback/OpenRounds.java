package io.sluice.client.feedback;

import io.sluice.schema.RunSpec;
import org.jspecify.annotations.Nullable;

/**
 * How far a trainer may come before the round is closed that a step's reports are for. The first
 * step under a policy is needed until the round after it, for the policy may start from there. Not
 * thread-safe.
 */
final class OpenRounds {
  private @Nullable RunSpec policy;
  private long first;
  private long newest;

  /** The last batch that may be granted while the round of a step is open. */
  long openTo(RunSpec spec, long step) {
    if (!isSame(spec) || step < newest) {
      policy = spec;
      first = step;
    }
    newest = step;
    return step + spec.getLag() + (step == first ? spec.getUpdateEvery() : 0);
  }

  private boolean isSame(RunSpec spec) {
    RunSpec before = policy;
    return before != null
        && spec.getPolicy().equals(before.getPolicy())
        && spec.getPolicySettings().equals(before.getPolicySettings())
        && spec.getUpdateEvery() == before.getUpdateEvery();
  }
}
