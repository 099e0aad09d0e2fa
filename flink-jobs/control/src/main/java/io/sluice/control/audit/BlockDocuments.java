package io.sluice.control.audit;

import io.sluice.control.history.TopicScan;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Limits;
import io.sluice.schema.TokenBlock;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The documents of a dataset's training blocks, by the ids that blocks name. */
public final class BlockDocuments {
  private final KafkaAccess access;
  private final String dataset;

  /** The blocks of a dataset. */
  public BlockDocuments(KafkaAccess access, String dataset) {
    this.access = access;
    this.dataset = dataset;
  }

  /**
   * Hands on every block of some domains with the ids of its documents, each once, in their order.
   * Padding is none. Of a block with many long ids each has only its beginning, see {@link
   * Limits#blockIds}.
   */
  public void forEach(Collection<String> domains, BiConsumer<BlockPlace, Set<String>> sink) {
    Map<String, String> topics =
        domains.stream()
            .collect(
                Collectors.toMap(
                    domain -> access.topics().blocks(dataset, domain),
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
                                new BlockPlace(
                                    Objects.requireNonNull(topics.get(message.topic())),
                                    message.partition(),
                                    block.getOrdinal()),
                                documents(block))));
  }

  private static Set<String> documents(TokenBlock block) {
    Set<String> ids = new LinkedHashSet<>(block.getDocumentIds());
    ids.remove("");
    return ids;
  }
}
