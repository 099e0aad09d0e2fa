package io.sluice.cli.simulate;

import io.sluice.mixture.simulate.Trajectory;
import java.util.List;

/** The weights and losses of one policy over its rounds, as files and figures show them. */
record Course(String label, List<Trajectory.Point> points) {
  Course {
    points = List.copyOf(points);
  }

  double[] lastShares() {
    return points.get(points.size() - 1).shares();
  }
}
