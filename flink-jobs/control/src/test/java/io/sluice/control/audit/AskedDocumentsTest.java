package io.sluice.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.set.IdHash;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AskedDocumentsTest {
  private static final BlockPlace PLACE = new BlockPlace("java", 0, 7);
  private final AskedDocuments asked = new AskedDocuments(domain -> Set.of("abcdef", "b", "c"));

  @Test
  void aBlockWithWholeNamesHasThoseThatItNames() {
    BlockContent block = new BlockContent(PLACE, Set.of("abc", "b"), true);
    assertThat(asked.in(block)).containsExactly("b");
  }

  @Test
  void aBlockWhoseNamesAreCutHasThoseWhoseHashesItHas() {
    Set<String> hashes =
        new LinkedHashSet<>(
            List.of(
                IdHash.of("java", "abcxyz"),
                IdHash.of("java", "abcdef"),
                IdHash.of("prose", "b"),
                IdHash.of("java", "c")));
    BlockContent block = new BlockContent(PLACE, hashes, false);
    assertThat(asked.in(block)).containsExactly("abcdef", "c");
  }
}
