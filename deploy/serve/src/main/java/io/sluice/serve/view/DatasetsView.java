package io.sluice.serve.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import io.sluice.schema.Supply;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is prepared of datasets, as the API has it. */
public final class DatasetsView {
  private DatasetsView() {}

  /**
   * All datasets.
   *
   * @param supply of each by its name, by domain
   * @param sealing by dataset: why its blocks are not put into its store
   */
  public static ObjectNode of(
      List<DatasetSpec> specs,
      Map<String, Map<String, Supply>> supply,
      Map<String, String> sealing) {
    ObjectNode json = Json.object();
    ArrayNode datasets = json.putArray("datasets");
    for (DatasetSpec spec : specs) {
      ObjectNode dataset = datasets.addObject();
      dataset.put("name", spec.getName());
      dataset.put("waiting", sealing.getOrDefault(spec.getName(), ""));
      ArrayNode domains = dataset.putArray("domains");
      new TreeMap<>(supply.getOrDefault(spec.getName(), Map.of()))
          .forEach((name, each) -> add(domains.addObject(), name, each));
    }
    return json;
  }

  private static void add(ObjectNode domain, String name, Supply supply) {
    Ledger ledger = supply.getLedger();
    domain.put("name", name);
    domain.put("documents", supply.getDocuments());
    domain.put("sequences", supply.getBlocks());
    domain.put("tokens", supply.getTrainedTokens());
    domain.put("heldOutSequences", supply.getEvalBlocks());
    domain.put("shuffled", Math.max(0, supply.getShuffled()));
    domain.put("deadLetters", ledger == null ? 0 : ledger.getDocuments().getDeadLetters());
    domain.put("ended", supply.getEnded());
  }
}
