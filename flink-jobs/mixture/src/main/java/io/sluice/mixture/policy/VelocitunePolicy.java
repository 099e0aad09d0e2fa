package io.sluice.mixture.policy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Velocitune (Luo et al.): domains that are far from their target loss, measured by the share of
 * the way still to go, gain weight.
 *
 * <p>Equations 3 and 4, algorithm 1, at every round:
 *
 * <pre>
 *   V_i = clamp((l_i − target_i) / (initial_i − target_i), 0, 1)
 *   w_i ← w_i · exp(eta · V_i) / Σ_j w_j · exp(eta · V_j)
 * </pre>
 *
 * <p>Known differences to the paper: eta and a uniform floor can be set (default 1 and 0, as in the
 * paper); a domain whose initial loss does not exceed its target counts as V = 1 above the target
 * and 0 otherwise, the clamp's limit as the gap vanishes; a domain without a measurement keeps its
 * last V (initially 1), and one without a measurement at step 0 takes its first one as initial
 * loss. Without a target ({@code useTarget = false}, the ablation of section 3.5) V_i = l_i /
 * initial_i, not clamped.
 */
final class VelocitunePolicy implements Policy {
  static final String NAME = "velocitune";
  private static final byte VERSION = 1;

  /**
   * How the losses are turned into weights.
   *
   * @param initialLosses one for each domain in nats per token; null to take them from step 0
   * @param targetLosses one for each domain; null to take {@code targetFraction · initial}
   */
  record Settings(
      double @Nullable [] initialLosses,
      double @Nullable [] targetLosses,
      double targetFraction,
      double eta,
      double floor,
      boolean clamp,
      boolean useTarget) {}

  private final Settings settings;

  VelocitunePolicy(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String metric() {
    return "eval_loss";
  }

  @Override
  public boolean startsFromStepZero() {
    return settings.initialLosses == null;
  }

  @Override
  public byte[] initialState(double[] shares) {
    double[] velocities = new double[shares.length];
    Arrays.fill(velocities, 1);
    double[] initial = settings.initialLosses == null ? new double[0] : settings.initialLosses;
    return new State(LogWeights.of(shares), velocities, initial).encode();
  }

  @Override
  public Decision decide(byte[] encoded, double[] losses) {
    State state = State.decode(encoded);
    if (state.initialLosses.length == 0) {
      State primed = new State(state.logWeights, state.velocities, losses);
      return new Decision(primed.encode(), LogWeights.shares(state.logWeights), state.velocities);
    }
    double[] initial = state.initialLosses.clone();
    double[] velocities = state.velocities.clone();
    for (int i = 0; i < losses.length; i++) {
      if (!Double.isNaN(losses[i])) {
        initial[i] = Double.isNaN(initial[i]) ? losses[i] : initial[i];
        velocities[i] = velocity(i, losses[i], initial[i]);
      }
    }
    double[] next = LogWeights.step(state.logWeights, settings.eta, velocities, settings.floor);
    byte[] after = new State(next, velocities, initial).encode();
    return new Decision(after, LogWeights.shares(next), velocities);
  }

  private double velocity(int domain, double loss, double initial) {
    if (!settings.useTarget) {
      return loss / initial;
    }
    double target =
        settings.targetLosses == null
            ? settings.targetFraction * initial
            : settings.targetLosses[domain];
    double gap = initial - target;
    if (gap <= 0) {
      return loss > target ? 1 : 0;
    }
    double velocity = (loss - target) / gap;
    return settings.clamp ? Math.max(0, Math.min(1, velocity)) : velocity;
  }

  /** Versioned bytes: log-weights, last velocities, initial losses (empty until step 0). */
  private record State(double[] logWeights, double[] velocities, double[] initialLosses) {
    byte[] encode() {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        out.writeByte(VERSION);
        for (double[] values : new double[][] {logWeights, velocities, initialLosses}) {
          out.writeInt(values.length);
          for (double value : values) {
            out.writeDouble(value);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }

    static State decode(byte[] bytes) {
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
        byte version = in.readByte();
        if (version != VERSION) {
          throw new IllegalArgumentException(
              "velocitune state must be of version " + VERSION + ": " + version);
        }
        return new State(read(in), read(in), read(in));
      } catch (IOException e) {
        throw new UncheckedIOException("velocitune state of " + bytes.length + " bytes is cut", e);
      }
    }

    private static double[] read(DataInputStream in) throws IOException {
      double[] values = new double[in.readInt()];
      for (int i = 0; i < values.length; i++) {
        values[i] = in.readDouble();
      }
      return values;
    }
  }
}
