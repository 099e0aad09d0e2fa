package io.sluice.cli.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.Option;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatasetFileTest {
  private static final String WHOLE =
      """
      dataset: small
      tokenizer: r50k_base
      bos: none
      eos: <|endoftext|>
      sequence-length: 2k tokens
      packing: best-fit
      packing-window: 32 blocks
      pad-documents-to: 16 tokens
      document-ids: hashes
      fim-rate: 0.5
      fim-spm: 0.25
      fim-tokens: [1, 3, 2]
      shuffle: buffer
      shuffle-buffer: 500 documents
      shuffle-wait: 30s
      held-out: 0.25
      held-out-tokens: 64k tokens
      seed: 7
      domains: [wiki, code]
      lanes: 2
      sources: [{path: wiki/*.txt, domain: wiki}]
      store: file:///data/segments
      """;

  @Test
  void readsEveryKey() {
    DatasetSpec spec = resolve(WHOLE);
    assertThat(spec.getName()).isEqualTo("small");
    assertThat(spec.getTokenizer()).isEqualTo("r50k_base");
    assertThat(spec.getBos()).isEqualTo("none");
    assertThat(spec.getBeginOfDocument()).isEqualTo(-1);
    assertThat(spec.getEos()).isEqualTo("<|endoftext|>");
    assertThat(spec.getEndOfDocument()).isEqualTo(50_256);
    assertThat(spec.getSequenceLength()).isEqualTo(2000);
    assertThat(spec.getPacking()).isEqualTo("best-fit");
    assertThat(spec.getPackingWindow()).isEqualTo(32);
    assertThat(spec.getPadDocumentsTo()).isEqualTo(16);
    assertThat(spec.getDocumentIds()).isEqualTo("hashes");
    assertThat(spec.getFimRate()).isEqualTo(0.5);
    assertThat(spec.getFimSpm()).isEqualTo(0.25);
    assertThat(spec.getFimTokens()).containsExactly(1, 3, 2);
    assertThat(spec.getShuffleBuffer()).isEqualTo(500);
    assertThat(spec.getShuffleWaitMillis()).isEqualTo(30_000);
    assertThat(spec.getHeldOut()).isEqualTo(0.25);
    assertThat(spec.getHeldOutTokens()).isEqualTo(64_000);
    assertThat(spec.getHeldOutRule()).isEqualTo(2);
    assertThat(spec.getSeed()).isEqualTo(7);
    assertThat(spec.getDomains()).containsExactly("wiki", "code");
    assertThat(spec.getLanes()).isEqualTo(2);
    assertThat(spec.getStore()).isEqualTo("file:///data/segments");
    assertThat(spec.getSources())
        .containsExactly(
            new DatasetSource(
                Path.of("wiki/*.txt").toAbsolutePath().toString(),
                "auto",
                "text",
                "id",
                List.of(),
                false,
                false,
                "wiki",
                "",
                Map.of(),
                "",
                "json",
                "",
                "",
                ""));
    assertThat(DatasetOptions.ALL.stream().map(Option::key))
        .containsExactlyElementsOf(WHOLE.lines().map(line -> line.split(":", 2)[0]).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dataset: small|dataset: s m|dataset must be 1 to 63 letters",
        "tokenizer: r50k_base|tokenizer: words|tokenizer must be ",
        "bos: none|bos: <s>|bos and eos of the tokenizer 'r50k_base' must be left out, or none and",
        "endoftext|eos|bos and eos of the tokenizer 'r50k_base' must be left out, or none and",
        "2k tokens|0 tokens|'sequence-length' must be a whole number, such as 512, 4M or 64Ki, with"
            + " or without 'tokens', from 1 to 131072: found '0 tokens'",
        "packing: best-fit|packing: worst|'packing' must be one of concat, best-fit: found 'worst'",
        "packing: best-fit|packing: concat|packing-window is for packing: best-fit alone: found 32",
        "32 blocks|1025 blocks|'packing-window' must be a whole number, such as 512, 4M or 64Ki,"
            + " with or without 'blocks', from 1 to 1024: found '1025 blocks'",
        "16 tokens|17 tokens|pad-documents-to must divide sequence-length, 2000: found 17",
        "fim-rate: 0.5|fim-rate: 2|'fim-rate' must be a number from 0.0 to 1.0",
        "fim-spm: 0.25|fim-spm: -1|'fim-spm' must be a number from 0.0 to 1.0",
        "[1, 3, 2]|[1, a, 2]|fim-tokens must be token ids: found [1, a, 2]",
        "[1, 3, 2]|[1, 3, 50256]|fim-tokens must be below 50257 and have no other meaning: found"
            + " 50256, which is the end of documents",
        "500 documents|11M documents|'shuffle-buffer' must be a whole number, such as 512, 4M or"
            + " 64Ki, with or without 'documents', from 1 to 10000000: found '11M documents'",
        "shuffle-wait: 30s|shuffle-wait: 999ms|'shuffle-wait' must be a time such as 500ms, 30s,"
            + " 10m, 2h or 1d, from 1s to 365d: found '999ms'",
        "shuffle-wait: 30s|shuffle-wait: 366d|'shuffle-wait' must be a time",
        "shuffle-wait: 30s|shuffle-wait: 30|'shuffle-wait' must be a time",
        "held-out: 0.25|held-out: 1|'held-out' must be a number from 0 to below 1: found '1'",
        "held-out: 0.25|held-out: 2|'held-out' must be a number from 0 to below 1: found '2'",
        "64k tokens|5M tokens|'held-out-tokens' must be a whole number, such as 512, 4M or 64Ki, with"
            + " or without 'tokens', from 0 to 4194304: found '5M tokens'",
        "shuffle: buffer|shuffle: all|'shuffle' must be one of global, buffer: found 'all'",
        "shuffle: buffer|shuffle: global|shuffle-buffer is for shuffle: buffer alone: found 500",
        "seed: 7|seed: seven|'seed' must be a whole number",
        "[wiki, code]|[]|'domains' must be a list of at least one text",
        "[wiki, code]|[wiki, wiki]|domains must all be different: 'wiki' is there twice",
        "lanes: 2|lanes: 65|'lanes' must be a whole number, such as 512, 4M or 64Ki, from 1 to 64:"
            + " found '65'",
        "lanes: 2|lane: 2|unknown key 'lane'",
        "file:///data/segments|segments|store must be file:///ABSOLUTE/PATH without '..', or s3://",
        "file:///data/segments|s3://b/../k|characters: found 's3://b/../k'",
        "domain: wiki}|domain: wikis}|sources[0].domain must be one of [wiki, code]: found 'wikis'",
        "domain: wiki}|domian: wiki}|'sources[0].domain' is missing",
        "domain: wiki}|domain: wiki, by: x}|unknown key 'sources[0].by'",
        "domain: wiki}|domain: {column: a, folder: {}}}|a map with one of folder and column",
        "domain: wiki}|domain: {folder: {en: web}}}|sources[0].domain must be one of [wiki, code]",
        "domain: wiki}|domain: {column: text}}|sources[0].domain.column must be neither",
        "domain: wiki}|format: lines, domain: {column: a}}|sources[0].format must be jsonl or"
            + " parquet: found lines",
        "domain: wiki}|format: tokens, domain: wiki}|'sources[0].format' must be one of auto, text",
        "domain: wiki}|property-fields: [a], domain: wiki}|sources[0].format must be jsonl or"
            + " parquet with property-fields: found auto",
        "domain: wiki}|by-reference: true, domain: {column: a}}|sources[0].by-reference must be false",
        "path: wiki/*.txt|path: ''|'sources[0].path' must be",
        "path: wiki/*.txt|format: text|sources[0] must be of one of path and topic: found neither",
        "path: wiki/*.txt|path: a, topic: b|sources[0] must be of one of path and topic: found both",
        "path: wiki/*.txt|path: a, source-kafka: b|sources[0] must be with topic for",
        "path: wiki/*.txt|topic: 'a b'|sources[0].topic must be the name of a topic: found 'a b'",
        "path: wiki/*.txt|topic: a, format: text|sources[0].format must be left out with topic",
        "path: wiki/*.txt|topic: a, by-reference: true|sources[0].by-reference must be false with",
        "path: wiki/*.txt|topic: a, topic-format: confluent-avro|sources[0].schema-registry must be",
        "path: wiki/*.txt|topic: a, schema-registry: 'http://r'|sources[0].schema-registry must be",
        "path: wiki/*.txt|topic: a, topic-format: confluent-avro, schema-registry: 'http://u:p@r'|"
            + "sources[0].schema-registry must be without a user and a password: found one with them",
      })
  void everyKeyHasARange(String good, String bad, String message) {
    assertThat(WHOLE).contains(good);
    assertThatThrownBy(() -> resolve(WHOLE.replace(good, bad)))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(message);
  }

  @Test
  void sourcesAreNotInTheFingerprintAndSayTheirDomainInThreeWays() {
    DatasetSpec spec =
        resolve(
            WHOLE.replaceAll("sources:.*", "")
                + """
                sources:
                  - {path: s3://corpora/wiki, format: jsonl, text-field: body, id-field: url, property-fields: [lang], domain: wiki}
                  - {path: /data, by-reference: true, domain: folder}
                  - {path: /data/more, domain: {folder: {en: wiki}}}
                  - {path: /data/all.jsonl, domain: {column: from, names: {github: code}}}
                  - topic: commits
                    topic-format: confluent-avro
                    source-kafka: broker:9093
                    source-kafka-config: /etc/source.properties
                    schema-registry: https://registry:8081
                    domain: code
                """);
    assertThat(spec.getFingerprint()).isEqualTo(resolve(WHOLE).getFingerprint());
    assertThat(spec.getSources())
        .containsExactly(
            new DatasetSource(
                "s3://corpora/wiki",
                "jsonl",
                "body",
                "url",
                List.of("lang"),
                false,
                false,
                "wiki",
                "",
                Map.of(),
                "",
                "json",
                "",
                "",
                ""),
            DatasetSource.newBuilder().setPath("/data").setByReference(true).build(),
            DatasetSource.newBuilder()
                .setPath("/data/more")
                .setDomainNames(Map.of("en", "wiki"))
                .build(),
            DatasetSource.newBuilder()
                .setPath("/data/all.jsonl")
                .setDomainColumn("from")
                .setDomainNames(Map.of("github", "code"))
                .build(),
            DatasetSource.newBuilder()
                .setPath("")
                .setDomain("code")
                .setTopic("commits")
                .setTopicFormat("confluent-avro")
                .setTopicServers("broker:9093")
                .setTopicConfig("/etc/source.properties")
                .setSchemaRegistry("https://registry:8081")
                .build());
    assertThat(DatasetView.of(spec).get("sources").toString())
        .contains(
            "path=s3://corpora/wiki",
            "topic=commits",
            "schema-registry=https://registry:8081",
            "names={github=code}",
            "property-fields=[lang]",
            "by-reference=true");
  }

  @Test
  void documentsAreConcatenatedUnlessTheyAreFitted() {
    String neither = WHOLE.replaceAll("(?m)^pa.*\\n", "");
    assertThat(resolve(neither).getPacking()).isEqualTo("concat");
    assertThat(resolve(neither).getPackingWindow()).isZero();
    assertThat(resolve(neither).getPadDocumentsTo()).isEqualTo(1);
    assertThat(DatasetView.of(resolve(neither)).keySet()).noneMatch(key -> key.startsWith("pa"));
    DatasetSpec fitted = resolve(neither + "packing: best-fit\n");
    assertThat(DatasetView.of(fitted)).containsEntry("packing-window", 64);
  }

  @Test
  void withoutATimeDocumentsDoNotGoByTime() {
    DatasetSpec never = resolve(WHOLE.replace("shuffle-wait: 30s\n", ""));
    assertThat(never.getShuffleWaitMillis()).isZero();
    assertThat(DatasetView.of(never)).doesNotContainKey("shuffle-wait");
    assertThat(DatasetView.of(resolve(WHOLE))).containsEntry("shuffle-wait", "30s");
  }

  @Test
  void allDocumentsOfADomainAreShuffledInsteadOfABuffer() {
    String all =
        WHOLE
            .replace("shuffle: buffer\n", "shuffle: global\n")
            .replaceAll("shuffle-(buffer|wait).*\n", "");
    DatasetSpec spec = resolve(all);
    assertThat(spec.getShuffleBuffer()).isEqualTo(-1);
    assertThat(DatasetView.of(spec))
        .containsEntry("shuffle", "global")
        .doesNotContainKey("shuffle-buffer");
    assertThatThrownBy(() -> resolve(all + "shuffle-wait: 30s\n"))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("shuffle-wait is for a shuffle-buffer");
  }

  private static DatasetSpec resolve(String yaml) {
    return DatasetFile.resolve(ConfigFile.parse("dataset.yaml", yaml), "dataset.yaml");
  }
}
