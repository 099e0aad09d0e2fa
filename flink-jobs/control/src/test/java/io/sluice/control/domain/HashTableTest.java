package io.sluice.control.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HashTableTest {
  @Test
  void knowsWhatASetKnowsAlsoWhenItGrowsAndWhereHashesCollide() {
    Random random = new Random(3);
    HashTable table = new HashTable(10);
    Set<List<Long>> expected = new HashSet<>();
    for (int i = 0; i < 50_000; i++) {
      // Few values of each half, zeros among them, so that many hashes share a place.
      long high = random.nextInt(300);
      long low = random.nextInt(100);
      assertThat(table.add(high, low)).isEqualTo(expected.add(List.of(high, low)));
    }
    assertThat(expected).hasSizeGreaterThan(20_000);
  }

  @Test
  void hashesMayHaveAnySign() {
    HashTable table = new HashTable(0);
    assertThat(table.add(-1, Long.MIN_VALUE)).isTrue();
    assertThat(table.add(Long.MIN_VALUE, -1)).isTrue();
    assertThat(table.add(-1, Long.MIN_VALUE)).isFalse();
    assertThat(table.add(0, 0)).isTrue();
    assertThat(table.add(0, 0)).isFalse();
  }
}
