package io.sluice.schema.set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.schema.DocumentSet;
import io.sluice.schema.DomainDocuments;
import io.sluice.schema.Limits;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Documents by their hashes. */
final class DocumentHashesTest {
  private static final byte[] LOW = new byte[16];
  private static final byte[] HIGH = HexFormat.of().parseHex("ff".repeat(16));

  private static JsonNode vectors() throws IOException {
    return new ObjectMapper().readTree(Path.of("src/test/resources/vectors/masks.json").toFile());
  }

  @Test
  void documentsAndSetsAreKnownByTheSharedVectors() throws IOException {
    for (JsonNode each : vectors().get("documents")) {
      byte[] hash = DocumentHash.of(text(each, "domain"), text(each, "id"));
      assertThat(HexFormat.of().formatHex(hash)).isEqualTo(text(each, "hash"));
      assertThat(IdHash.of(text(each, "domain"), text(each, "id"))).isEqualTo(text(each, "idHash"));
    }
    for (JsonNode each : vectors().get("sets")) {
      SortedMap<String, Set<DocumentKey>> keys = new TreeMap<>();
      for (JsonNode document : each.get("documents")) {
        keys.computeIfAbsent(text(document, "domain"), of -> new TreeSet<>())
            .add(DocumentKey.of(text(document, "domain"), text(document, "id")));
      }
      DocumentHashes set = DocumentHashes.of(keys).get(0);
      assertThat(set.name()).isEqualTo(text(each, "name"));
      assertThat(set.size()).isEqualTo(each.get("documents").size());
      for (JsonNode document : each.get("documents")) {
        assertThat(set.contains(text(document, "domain"), text(document, "id"))).isTrue();
        assertThat(set.contains("other", text(document, "id"))).isFalse();
        String domain = text(document, "domain");
        byte[] inBlocks = IdHash.of(domain, text(document, "id")).getBytes(StandardCharsets.UTF_8);
        assertThat(set.containsHash(domain, inBlocks)).isTrue();
        assertThat(set.containsHash("other", inBlocks)).isFalse();
      }
      assertThat(set.contains("java", "not in it")).isFalse();
      byte[] written = WireCodec.encode(set.record(true, "a takedown", 7));
      DocumentHashes read = DocumentHashes.of(WireCodec.decode(DocumentSet.class, written));
      assertThat(read.name()).isEqualTo(set.name());
      assertThat(read.domains()).isEqualTo(keys.keySet());
    }
  }

  private static String text(JsonNode of, String field) {
    return of.get(field).textValue();
  }

  @Test
  void manyDocumentsAreSeveralSetsThatFitInRecords() {
    SortedMap<String, Set<DocumentKey>> keys = new TreeMap<>();
    for (String domain : List.of("a", "b", "c")) {
      Set<DocumentKey> of = new TreeSet<>();
      for (int i = 0; i < 40_000; i++) {
        of.add(DocumentKey.of(domain, "document " + i));
      }
      keys.put(domain, of);
    }
    List<DocumentHashes> sets = DocumentHashes.of(keys);
    assertThat(sets).extracting(DocumentHashes::size).containsExactly(50_000, 50_000, 20_000);
    SortedMap<String, SortedSet<DocumentKey>> joined = new TreeMap<>();
    for (DocumentHashes set : sets) {
      byte[] value = WireCodec.encode(set.record(true, "x".repeat(Limits.TEXT), 0));
      assertThat(Limits.requireRecord("set", value)).hasSizeLessThan(Limits.RECORD_BYTES);
      set.addTo(Set.of("a", "c"), joined);
    }
    assertThat(joined).containsOnlyKeys("a", "c");
    assertThat(joined.get("c")).isEqualTo(keys.get("c"));
    sets.get(0).removeFrom(joined);
    assertThat(joined).containsOnlyKeys("c");
  }

  @Test
  void aRecordThatIsNoSetIsRefused() {
    assertRefused("a set must have 1 to 50000 documents: 0");
    assertRefused("hashes of domain a must be whole ones of 16 bytes: 0 bytes", of("a"));
    assertRefused(
        "hashes of domain a must be whole ones of 16 bytes: 15 bytes", of("a", new byte[15]));
    assertRefused(
        "hashes of domain a must ascend: those of documents 0 and 1 do not", of("a", HIGH, LOW));
    assertRefused(
        "hashes of domain a must ascend: those of documents 0 and 1 do not", of("a", LOW, LOW));
    assertRefused("domains of a set must ascend: 'a'", of("b", LOW), of("a", LOW));
    assertRefused("domains of a set must ascend: 'a'", of("a", LOW), of("a", HIGH));
    assertThatThrownBy(() -> DocumentHashes.of(record(of("a/b", LOW))))
        .hasMessageStartingWith("domain must be 1 to 63 letters");
    byte[] many = new byte[16 * 50_001];
    for (int i = 0; i < 50_001; i++) {
      ByteBuffer.wrap(many, 16 * i, 4).putInt(i);
    }
    assertRefused("a set must have 1 to 50000 documents: 50001", of("a", many));
  }

  private static void assertRefused(String message, DomainDocuments... domains) {
    assertThatThrownBy(() -> DocumentHashes.of(record(domains)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static DocumentSet record(DomainDocuments... domains) {
    return new DocumentSet(true, "", 0L, List.of(domains));
  }

  private static DomainDocuments of(String domain, byte[]... hashes) {
    int bytes = 0;
    for (byte[] hash : hashes) {
      bytes += hash.length;
    }
    ByteBuffer joined = ByteBuffer.allocate(bytes);
    for (byte[] hash : hashes) {
      joined.put(hash);
    }
    return new DomainDocuments(domain, joined.flip());
  }
}
