package io.sluice.control.audit;

import io.sluice.control.history.TopicScan;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Limits;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.set.IdHash;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The documents of a dataset's training blocks: by the ids that blocks name or, where blocks carry
 * hashes, by the lineage beside them.
 */
public final class BlockDocuments {
  private final KafkaAccess access;
  private final DatasetSpec dataset;

  /** The blocks of a dataset. */
  public BlockDocuments(KafkaAccess access, DatasetSpec dataset) {
    this.access = access;
    this.dataset = dataset;
  }

  /**
   * Hands on every block of some domains with its documents; padding is none. Of a block that names
   * many long ids each has only its beginning, see {@link Limits#blockIds}.
   */
  public void forEach(Collection<String> domains, Consumer<BlockContent> sink) {
    if (IdHash.in(dataset.getDocumentIds())) {
      readLineage(Set.copyOf(domains), sink);
    } else {
      readBlocks(domains, sink);
    }
  }

  private void readBlocks(Collection<String> domains, Consumer<BlockContent> sink) {
    Map<String, String> topics =
        domains.stream()
            .collect(
                Collectors.toMap(
                    domain -> access.topics().blocks(dataset.getName(), domain),
                    Function.identity(),
                    (one, same) -> one,
                    TreeMap::new));
    new TopicScan(access)
        .read(
            List.copyOf(topics.keySet()),
            message ->
                TopicScan.read(TokenBlock.class, message)
                    .ifPresent(
                        block ->
                            sink.accept(
                                content(
                                    new BlockPlace(
                                        Objects.requireNonNull(topics.get(message.topic())),
                                        message.partition(),
                                        block.getOrdinal()),
                                    block))));
  }

  private void readLineage(Set<String> domains, Consumer<BlockContent> sink) {
    new TopicScan(access)
        .read(
            BlockLineage.class,
            access.topics().lineage(dataset.getName()),
            lineage -> {
              if (lineage.getFingerprint() == dataset.getFingerprint()
                  && !lineage.getHeldOut()
                  && domains.contains(lineage.getDomain())) {
                sink.accept(content(lineage));
              }
            });
  }

  private static BlockContent content(BlockPlace place, TokenBlock block) {
    Set<String> ids = new LinkedHashSet<>(block.getDocumentIds());
    ids.remove("");
    return new BlockContent(place, ids, true);
  }

  private static BlockContent content(BlockLineage lineage) {
    return new BlockContent(
        new BlockPlace(lineage.getDomain(), lineage.getLane(), lineage.getOrdinal()),
        new LinkedHashSet<>(
            lineage.getWhole() ? lineage.getNames() : IdHash.all(lineage.getHashes())),
        lineage.getWhole());
  }
}
