package io.sluice.mixture.policy.probing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LinearSystemTest {
  @Test
  void solvesWhateverNeedsRowsToChangePlaces() {
    double[] matrix = {0, 2, 1, 1, 0, 0, 3, 0, 1};
    LinearSystem system = LinearSystem.of(matrix, 3, 1e-3).orElseThrow();
    assertThat(system.solve(new double[] {7, 1, 6})).containsExactly(1, 2, 3);
    assertThat(matrix).containsExactly(0, 2, 1, 1, 0, 0, 3, 0, 1);
  }

  @Test
  void givesBackWhatWasMultiplied() {
    Random random = new Random(3);
    for (int size = 1; size < 30; size++) {
      double[] matrix = random.doubles((long) size * size, -1, 1).toArray();
      double[] wanted = random.doubles(size, -1, 1).toArray();
      double[] right = new double[size];
      for (int n = 0; n < size * size; n++) {
        right[n / size] += matrix[n] * wanted[n % size];
      }
      LinearSystem system = LinearSystem.of(matrix, size, 1e-6).orElseThrow();
      assertThat(system.solve(right)).containsExactly(wanted, offset(1e-8));
    }
  }

  @Test
  void doesNotDivideByWhatIsNearlyNothing() {
    assertThat(LinearSystem.of(new double[] {1, 2, 2, 4.0001}, 2, 1e-3)).isEmpty();
    assertThat(LinearSystem.of(new double[] {1, Double.NaN, 2, 4}, 2, 1e-3)).isEmpty();
  }
}
