package io.sluice.client.block;

import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.IdHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Documents of which no label is trained. Label i of a block is token i + 1, predicted from tokens
 * up to i: it does not count if token i or token i + 1 is of one of them. The tokens stay where
 * they are, so that every block has the shape and the place that it always had.
 *
 * @param hashed whether decoded blocks have hashes of ids in their place
 */
public record MaskedDocuments(List<DocumentHashes> sets, boolean hashed) {
  public MaskedDocuments {
    sets = List.copyOf(sets);
  }

  /** Documents of these sets, in blocks of a run with this specification. */
  public static MaskedDocuments of(Collection<DocumentHashes> sets, RunSpec spec) {
    return new MaskedDocuments(List.copyOf(sets), IdHash.in(spec.getDocumentIds()));
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return sets.isEmpty();
  }

  /** The block with no label of one of them trained; itself if it has none. */
  public TokenBlock masked(TokenBlock block) {
    int[] lengths = block.getDocumentLengths().stream().mapToInt(Integer::intValue).toArray();
    int[] runs =
        runs(
            block.getDomain(),
            lengths,
            () ->
                block.getDocumentIds().stream()
                    .map(id -> id.getBytes(StandardCharsets.UTF_8))
                    .toList(),
            hashed,
            () -> Tokens.trained(block));
    return runs == null ? block : masked(block, runs);
  }

  /** The run lengths of the labels that are left, trained first; null if the block has none. */
  int @Nullable [] runs(EncodedBlock block) {
    int[] lengths = block.documentLengths();
    return runs(
        block.domain(),
        lengths,
        block.documents()::ids,
        block.documents().areHashes(),
        () -> Tokens.trained(Arrays.stream(lengths).sum() - 1, block.maskRuns()));
  }

  private int @Nullable [] runs(
      String domain,
      int[] lengths,
      Supplier<List<byte[]>> named,
      boolean areHashes,
      Supplier<boolean[]> before) {
    List<DocumentHashes> ofDomain =
        sets.stream().filter(set -> set.domains().contains(domain)).toList();
    if (ofDomain.isEmpty()) {
      return null;
    }
    List<byte[]> ids = named.get();
    boolean[] trained = null;
    int at = 0;
    for (int part = 0; part < Math.min(lengths.length, ids.size()); part++) {
      byte[] id = ids.get(part);
      int end = at + lengths[part];
      if (lengths[part] > 0
          && id.length > 0
          && ofDomain.stream().anyMatch(set -> has(set, domain, id, areHashes))) {
        trained = trained == null ? before.get() : trained;
        Arrays.fill(trained, Math.max(0, at - 1), Math.min(trained.length, end), false);
      }
      at = end;
    }
    return trained == null ? null : runs(trained);
  }

  private static boolean has(DocumentHashes set, String domain, byte[] id, boolean isHash) {
    return isHash ? set.containsHash(domain, id) : set.contains(domain, id);
  }

  /** The run lengths of a mask, trained first; none after the last trained label. */
  static int[] runs(boolean[] trained) {
    List<Integer> runs = new ArrayList<>();
    boolean value = true;
    int begin = 0;
    for (int i = 0; i <= trained.length; i++) {
      if (i == trained.length || trained[i] != value) {
        runs.add(i - begin);
        begin = i;
        value = !value;
      }
    }
    return runs.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The decoded block with the labels that are left. */
  static TokenBlock masked(TokenBlock block, int[] runs) {
    int trained = 0;
    for (int i = 0; i < runs.length; i += 2) {
      trained += runs[i];
    }
    return TokenBlock.newBuilder(block)
        .setLossMask(Arrays.stream(runs).boxed().toList())
        .setTrainedTokens(trained)
        .build();
  }
}
