package io.sluice.schema.set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class DocumentKeysTest {
  private static DocumentKeys keys(Set<DocumentKey> all) {
    return DocumentKeys.of(List.copyOf(new TreeSet<>(all)));
  }

  @Test
  void areSets() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 200; round++) {
      Set<DocumentKey> one = some(random);
      Set<DocumentKey> other = some(random);
      Set<DocumentKey> both = new TreeSet<>(one);
      both.addAll(other);
      Set<DocumentKey> left = new TreeSet<>(one);
      left.removeAll(other);

      assertThat(keys(one).with(keys(other)).all()).containsExactlyElementsOf(both);
      assertThat(keys(one).without(keys(other)).all()).containsExactlyElementsOf(left);
      assertThat(keys(one).size()).isEqualTo(one.size());
      for (int id = 0; id < 20; id++) {
        DocumentKey key = DocumentKey.of("java", "d" + id);
        assertThat(keys(one).contains("java", "d" + id)).isEqualTo(one.contains(key));
      }
    }
  }

  @Test
  void partsFitInARecordOfASet() {
    Set<DocumentKey> many = new TreeSet<>();
    for (int id = 0; many.size() <= DocumentHashes.MOST; id++) {
      many.add(DocumentKey.of("java", "d" + id));
    }
    DocumentKeys all = keys(many);

    assertThat(all.parts()).extracting(DocumentKeys::size).containsExactly(DocumentHashes.MOST, 1);
    assertThat(all.parts().get(0).with(all.parts().get(1)).all()).isEqualTo(all.all());
    assertThat(DocumentKeys.of("java", all.parts().get(1).bytes()).all())
        .isEqualTo(all.parts().get(1).all());
    assertThatThrownBy(() -> DocumentKeys.of("java", all.bytes()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a set must have 1 to 50000 documents: 50001");
    assertThatThrownBy(() -> DocumentKeys.of("java", ByteBuffer.allocate(0)))
        .hasMessage("hashes of domain java must be whole ones of 16 bytes: 0 bytes");
  }

  private static Set<DocumentKey> some(SplittableRandom random) {
    Set<DocumentKey> some = new TreeSet<>();
    for (int count = random.nextInt(8); count > 0; count--) {
      some.add(DocumentKey.of("java", "d" + random.nextInt(20)));
    }
    return some;
  }
}
