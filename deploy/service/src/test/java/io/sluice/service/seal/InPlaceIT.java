package io.sluice.service.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.domain.SealedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunLogs;
import io.sluice.control.runs.NewRun;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.wire.RunSpecs;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.inplace.RowFile;
import io.sluice.corpus.inplace.RowFiles;
import io.sluice.corpus.inplace.RowSplit;
import io.sluice.jobs.mix.MixJob;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Segment;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.run.Delivery;
import io.sluice.schema.segment.SealedLanes;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.flink.EmbeddedFlink;
import io.sluice.service.flink.FlinkSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of token ids are domains of a dataset where they lie, and runs are granted their rows. */
class InPlaceIT {
  private static final int LANES = 2;
  private static final int LABELS = 11;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path directory;
  private EmbeddedBroker broker;
  private KafkaAccess access;
  private DatasetSpec data;

  @BeforeEach
  void start() throws IOException {
    broker = EmbeddedBroker.start(directory.resolve("kafka"), 0, Patience.MINUTE);
    access = KafkaAccess.local(broker.bootstrapServers());
    data =
        DatasetSpec.newBuilder(
                DatasetSpecs.resolve(
                    new DatasetSettings(
                        "books", "bytes", LABELS, 4, 7, 0.1, List.of("a", "b"), LANES)))
            .setSources(List.of(source("a.idx", "a"), source("b.idx", "b")))
            .setStore("file://" + directory.resolve("store"))
            .build();
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
    }
    new DatasetCatalog(access).publish(data);
    write("a", 100);
    write("b", 60);
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  private DatasetSource source(String file, String domain) {
    return DatasetSource.newBuilder()
        .setPath(directory.resolve(file).toString())
        .setInPlace(true)
        .setDomain(domain)
        .build();
  }

  /** Writes files as Megatron does, with documents of 7 tokens, for so many rows. */
  private void write(String name, int rows) throws IOException {
    int documents = (rows * LABELS + 8) / 7;
    ByteBuffer ids = ByteBuffer.allocate(14 * documents).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer index = ByteBuffer.allocate(34 + 20 * documents + 8).order(ByteOrder.LITTLE_ENDIAN);
    index.put(new byte[] {'M', 'M', 'I', 'D', 'I', 'D', 'X', 0, 0}).putLong(1).put((byte) 8);
    index.putLong(documents).putLong(documents + 1);
    for (int i = 0; i < documents; i++) {
      index.putInt(7);
    }
    for (int i = 0; i < documents; i++) {
      index.putLong(14L * i);
    }
    for (int i = 0; i <= documents; i++) {
      index.putLong(i);
    }
    while (ids.hasRemaining()) {
      ids.putShort((short) (ids.position() / 2 * 31 % 250));
    }
    Files.write(directory.resolve(name + ".bin"), ids.array());
    Files.write(directory.resolve(name + ".idx"), index.array());
  }

  private Optional<RowSplit> index(String domain) throws IOException {
    List<RowFile> files = new ArrayList<>();
    Path named = directory.resolve(domain + ".idx");
    for (SourceFile file : SourceFiles.local(List.of(named), false).files()) {
      new RowFiles(data).open(file).ifPresent(files::add);
    }
    try {
      return new PlaceIndex(access, data, "c", InstantSource.system())
          .make(domain, files, read -> {});
    } finally {
      for (RowFile file : files) {
        file.close();
      }
    }
  }

  @Test
  void whatIsIndexedIsSuppliedOnceAndStaysWhatItWas() throws IOException {
    RowSplit split = index("a").orElseThrow();
    assertThat(split.rows()).isEqualTo(100);
    assertThat(split.heldOut()).isEqualTo(10);
    Patience.await(MINUTE, () -> PreparedDomains.read(access, "books").containsKey("a"));
    SealedLanes sealed = sealed();
    for (int lane = 0; lane < LANES; lane++) {
      assertThat(sealed.rows("a", lane)).isEqualTo(45);
      assertThat(sealed.isInPlace("a", lane)).isTrue();
      Segment last = sealed.last("a", lane).orElseThrow();
      assertThat(last.getEnded()).isTrue();
      assertThat(last.getData().getObject()).isEqualTo("file://" + directory.resolve("a.bin"));
    }
    Supply supply = PreparedDomains.read(access, "books").get("a");
    assertThat(supply.getBlocks()).isEqualTo(90);
    assertThat(supply.getEvalBlocks()).isEqualTo(10);
    assertThat(supply.getTrainedTokens()).isEqualTo(90 * LABELS);
    assertThat(supply.getEnded()).isTrue();
    requireHeldOut();

    assertThat(index("a")).isEmpty();
    Path bin = directory.resolve("a.bin");
    Files.write(bin, new byte[] {1, 0}, StandardOpenOption.APPEND);
    assertThatThrownBy(() -> index("a"))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("the index is not of " + bin);
    write("a", 120);
    assertThatThrownBy(() -> index("a"))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("is not what it was when domain 'a' was indexed: it had 2212 bytes");
  }

  private void requireHeldOut() {
    List<TokenBlock> blocks = new ArrayList<>();
    List<EndOfDomain> ends = new ArrayList<>();
    try (TopicReader reader = TopicReader.committed(access)) {
      reader.catchUp(
          access.topics().eval("books", "a"),
          MINUTE,
          message -> {
            if (WireCodec.isOf(EndOfDomain.class, ByteBuffer.wrap(message.value()))) {
              ends.add(WireCodec.decode(EndOfDomain.class, message.value()));
            } else {
              blocks.add(WireCodec.decode(TokenBlock.class, message.value()));
              assertThat(message.timestamp()).isEqualTo(blocks.get(blocks.size() - 1).getOrdinal());
            }
          });
    }
    assertThat(blocks).hasSize(10);
    assertThat(ends).hasSize(LANES).allMatch(end -> end.getSize() == 5);
  }

  @Test
  void aRunIsGrantedAllOfThem() throws IOException {
    index("a");
    index("b");
    try (EmbeddedFlink flink = EmbeddedFlink.start(FlinkSettings.in(directory.resolve("flink")))) {
      flink.submit("mix", environment -> MixJob.build(environment, access));
      RunSpec spec =
          RunSpecs.complete(NewRun.of("derived", data, 8).setDelivery(Delivery.DERIVED).build());
      new RunApplication(access, RunAdmin.commands(access)).start(spec, null, MINUTE);
      Patience.await(MINUTE, () -> fold("derived").state().phase() == RunPhase.STOPPED);
      // All 144 but what is less than a batch in one of the lanes.
      assertThat(fold("derived").state().position().granted()).isEqualTo(17);
    }
  }

  @Test
  void nothingIsLeftToSeal() throws IOException {
    List<String> events = new ArrayList<>();
    try (Sealers sealers =
        new Sealers(access, "c", InstantSource.system(), System::nanoTime, events::add)) {
      sealers.apply(data);
      assertThat(sealers.work(Duration.ZERO)).isFalse();
      index("a");
      assertThat(sealers.work(Duration.ZERO)).isFalse();
    }
    assertThat(events).isEmpty();
    Patience.await(MINUTE, () -> sealed().rows("a", 0) == 45);
  }

  private SealedLanes sealed() {
    return SealedDomains.read(access, data);
  }

  private RunFold fold(String run) {
    return RunLogs.of(access).fold(RunCatalog.read(access).require(run).start().orElseThrow());
  }
}
