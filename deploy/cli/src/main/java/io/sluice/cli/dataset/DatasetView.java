package io.sluice.cli.dataset;

import io.sluice.control.config.Durations;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A dataset as reports show it, with the keys of a dataset file where it has them. */
final class DatasetView {
  private static final Map<String, String> UNITS =
      Map.of(
          "token-width", " bytes",
          "sequence-length", " tokens",
          "packing-window", " blocks",
          "pad-documents-to", " tokens",
          "shuffle-buffer", " documents",
          "held-out-tokens", " tokens");

  private DatasetView() {}

  /** For programs. */
  static Map<String, Object> of(DatasetSpec spec) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("dataset", spec.getName());
    view.put("fingerprint", String.format("%016x", spec.getFingerprint()));
    view.put("tokenizer", spec.getTokenizer());
    view.put("tokenizer-version", spec.getTokenizerVersion());
    if (!spec.getTokenizerSha256().isEmpty()) {
      view.put("tokenizer-sha256", spec.getTokenizerSha256());
    }
    view.put(
        "begin-of-document", spec.getBeginOfDocument() < 0 ? "none" : spec.getBeginOfDocument());
    view.put("end-of-document", spec.getEndOfDocument());
    view.put("vocabulary", spec.getVocabulary());
    view.put("token-width", spec.getTokenWidth());
    view.put("sequence-length", spec.getSequenceLength());
    if (spec.getPackingWindow() > 0) {
      view.put("packing", spec.getPacking());
      view.put("packing-window", spec.getPackingWindow());
    }
    if (spec.getPadDocumentsTo() > 1) {
      view.put("pad-documents-to", spec.getPadDocumentsTo());
    }
    view.put("document-ids", spec.getDocumentIds());
    if (spec.getFimRate() > 0) {
      view.put("fim-rate", spec.getFimRate());
      view.put("fim-spm", spec.getFimSpm());
      view.put("fim-tokens", List.copyOf(spec.getFimTokens()));
    }
    if (spec.getShuffleBuffer() == ShuffleSettings.GLOBAL) {
      view.put("shuffle", DatasetOptions.GLOBAL);
    } else {
      view.put("shuffle-buffer", spec.getShuffleBuffer());
    }
    if (spec.getShuffleWaitMillis() > 0) {
      view.put("shuffle-wait", Durations.format(Duration.ofMillis(spec.getShuffleWaitMillis())));
    }
    view.put("seed", spec.getSeed());
    view.put("held-out", spec.getHeldOut());
    if (spec.getHeldOutTokens() > 0) {
      view.put("held-out-tokens", spec.getHeldOutTokens());
    }
    view.put("held-out-rule", spec.getHeldOutRule());
    view.put("lanes", spec.getLanes());
    view.put("domains", List.copyOf(spec.getDomains()));
    putGiven(view, "store", spec.getStore());
    if (!spec.getSources().isEmpty()) {
      view.put("sources", spec.getSources().stream().map(DatasetView::source).toList());
    }
    return view;
  }

  private static Map<String, Object> source(DatasetSource source) {
    Map<String, Object> view = new LinkedHashMap<>();
    if (source.getTopic().isEmpty()) {
      view.put("path", source.getPath());
      view.put("format", source.getFormat());
    } else {
      view.put("topic", source.getTopic());
      view.put("topic-format", source.getTopicFormat());
    }
    putGiven(view, "source-kafka", source.getTopicServers());
    putGiven(view, "source-kafka-config", source.getTopicConfig());
    putGiven(view, "schema-registry", source.getSchemaRegistry());
    view.put("text-field", source.getTextField());
    view.put("id-field", source.getIdField());
    if (!source.getPropertyFields().isEmpty()) {
      view.put("property-fields", List.copyOf(source.getPropertyFields()));
    }
    if (source.getByReference()) {
      view.put("by-reference", true);
    }
    if (source.getInPlace()) {
      view.put("in-place", true);
    }
    if (!source.getDomain().isEmpty()) {
      view.put("domain", source.getDomain());
    } else if (source.getDomainColumn().isEmpty()) {
      view.put("domain", Map.of("folder", Map.copyOf(source.getDomainNames())));
    } else {
      view.put(
          "domain",
          Map.of("column", source.getDomainColumn(), "names", Map.copyOf(source.getDomainNames())));
    }
    return view;
  }

  private static void putGiven(Map<String, Object> view, String key, String value) {
    if (!value.isEmpty()) {
      view.put(key, value);
    }
  }

  /** For people, as YAML. */
  static List<String> lines(DatasetSpec spec) {
    return of(spec).entrySet().stream()
        .map(e -> e.getKey() + ": " + e.getValue() + UNITS.getOrDefault(e.getKey(), ""))
        .toList();
  }
}
