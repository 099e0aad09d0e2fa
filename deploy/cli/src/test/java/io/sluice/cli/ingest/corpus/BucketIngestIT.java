package io.sluice.cli.ingest.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.domain.CorpusEnd;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Fields;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BucketIngestIT {
  @TempDir Path directory;

  @Test
  void makesADomainOfEachBucketAndEndsIt() throws IOException {
    List<String> lines =
        IntStream.range(0, 40)
            .mapToObj(n -> "{\"text\": \"document\", \"ppl\": " + (1 + n * 17 % 40) + "}")
            .toList();
    Path file = Files.write(directory.resolve("web.jsonl"), lines);
    IngestSettings settings =
        new IngestSettings("web", Format.JSONL, 1000, Fields.STANDARD, Optional.of("ppl"));
    try (EmbeddedBroker broker =
        EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE)) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      BucketIngest ingest = new BucketIngest(kafka, settings, 4, bytes -> {}, 2);
      BucketIngest.Report report =
          ingest.files(SourceFiles.local(List.of(file), false), true, true);
      assertThat(report.all().documents()).isEqualTo(40);
      for (int bucket = 0; bucket < 4; bucket++) {
        String domain = "web-b" + bucket;
        assertThat(report.buckets().get(bucket))
            .isEqualTo(new Buckets.Report(domain, 10, 80, 1 + 10 * bucket, 10 + 10 * bucket));
        assertThat(new CorpusEnds(kafka).of(domain)).isEqualTo(new CorpusEnd(10 + 1, true));
      }
      assertThatThrownBy(() -> ingest.files(SourceFiles.local(List.of(file), false), true, true))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("domain 'web-b0' has ended");
    }
  }
}
