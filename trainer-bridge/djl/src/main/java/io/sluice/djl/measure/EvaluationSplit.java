package io.sluice.djl.measure;

import io.sluice.client.block.BlockRows;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every domain's held-out blocks, divided between evaluation, the specific set z and the probe
 * pools.
 *
 * <p>The first blocks are evaluated, the same ones whether or not alignments are measured. Those of
 * the target domains are z as well. The blocks after them are the probe pool; a domain that has too
 * few gives half of its blocks to the pool, so that no block is in both z and a pool. No held-out
 * document is ever trained on, so the probes take nothing from the training's order.
 *
 * @param evaluated by domain
 * @param target the blocks of z
 * @param probes by domain
 */
public record EvaluationSplit(
    Map<String, List<TokenBlock>> evaluated,
    List<TokenBlock> target,
    Map<String, List<TokenBlock>> probes) {

  /**
   * Divides the blocks.
   *
   * @param heldOut by domain, at most {@code evalBlocks} and the pool's of each
   * @throws IllegalArgumentException if a target domain is unknown or has fewer than 2 blocks
   */
  public static EvaluationSplit of(
      Map<String, List<TokenBlock>> heldOut, int evalBlocks, List<String> targetDomains) {
    Map<String, List<TokenBlock>> evaluated = new LinkedHashMap<>();
    Map<String, List<TokenBlock>> probes = new LinkedHashMap<>();
    List<TokenBlock> target = new ArrayList<>();
    heldOut.forEach(
        (domain, blocks) -> {
          int own = Math.min(evalBlocks, blocks.size() / 2);
          evaluated.put(domain, blocks.subList(0, Math.min(evalBlocks, blocks.size())));
          probes.put(domain, blocks.subList(own, blocks.size()));
          if (targetDomains.contains(domain)) {
            requireTwo(domain, blocks);
            target.addAll(blocks.subList(0, own));
          }
        });
    return new EvaluationSplit(evaluated, target, probes);
  }

  /** The blocks of z that are of one target domain. */
  public List<TokenBlock> targetOf(String domain) {
    return target.stream().filter(block -> block.getDomain().equals(domain)).toList();
  }

  /** The blocks of z that are of these target domains; none named: all. */
  List<TokenBlock> targets(List<String> domains) {
    return domains.isEmpty()
        ? target
        : target.stream().filter(block -> domains.contains(block.getDomain())).toList();
  }

  /**
   * The same blocks, cut into rows.
   *
   * @param labels of a row
   */
  public EvaluationSplit cut(int labels) {
    return new EvaluationSplit(cut(evaluated, labels), cut(target, labels), cut(probes, labels));
  }

  private static Map<String, List<TokenBlock>> cut(
      Map<String, List<TokenBlock>> blocks, int labels) {
    Map<String, List<TokenBlock>> rows = new LinkedHashMap<>();
    blocks.forEach((domain, every) -> rows.put(domain, cut(every, labels)));
    return rows;
  }

  private static List<TokenBlock> cut(List<TokenBlock> blocks, int labels) {
    return blocks.stream().flatMap(block -> BlockRows.cut(block, labels).stream()).toList();
  }

  private static void requireTwo(String domain, List<TokenBlock> blocks) {
    if (blocks.size() < 2) {
      throw new IllegalArgumentException(
          "target domain "
              + domain
              + " must have at least 2 held-out blocks, one to align with and one to probe: "
              + blocks.size()
              + "; raise the data set's held-out share or add documents");
    }
  }
}
