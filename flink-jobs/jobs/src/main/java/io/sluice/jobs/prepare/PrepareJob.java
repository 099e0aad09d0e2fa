package io.sluice.jobs.prepare;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.heap.HeapShare;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.log.KafkaSupplyLog;
import io.sluice.jobs.prepare.pack.PackBlocks;
import io.sluice.jobs.prepare.read.CorpusSources;
import io.sluice.jobs.prepare.read.ReadCorpus;
import io.sluice.jobs.prepare.read.ReadCorpusFactory;
import io.sluice.jobs.prepare.record.CorpusRecordSerializer;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEventSerializer;
import io.sluice.jobs.prepare.source.CorpusSource;
import io.sluice.jobs.prepare.tokenizer.TokenizerStore;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.jobs.write.OutputRecordSerializer;
import io.sluice.jobs.write.OutputSinks;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.common.network.Selectable;

/**
 * The job that turns a dataset's documents into blocks, once for every run that will use them:
 * corpus topics → tokenizer → seeded shuffle → fixed-length blocks → block topics, exactly once.
 */
public final class PrepareJob {
  private static final Duration SUPPLY_WAIT = Duration.ofMinutes(2);

  /** From one checkpoint of a dataset of few domains to the next. */
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(2);

  /**
   * So much longer for each domain, since each writes state, supply and the end of a transaction.
   */
  private static final Duration FOR_EACH_DOMAIN = Duration.ofMillis(4);

  private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);

  /** The share of each process's heap that it may take by default. */
  public static final HeapShare HEAP = new HeapShare(0.4);

  private PrepareJob() {}

  /**
   * Time from one checkpoint to the next, after which blocks can be read: 2 s and 4 ms for each
   * domain, at most a minute.
   */
  public static Duration checkpointInterval(DatasetSpec spec) {
    Duration wanted =
        CHECKPOINT_INTERVAL.plus(FOR_EACH_DOMAIN.multipliedBy(spec.getDomains().size()));
    return wanted.compareTo(LONGEST_INTERVAL) < 0 ? wanted : LONGEST_INTERVAL;
  }

  /**
   * Adds the job for one dataset to the environment, which must take checkpoints: blocks can be
   * read once one completes. The topics must exist ({@link TopicAdmin#ensureDataset}).
   *
   * @param threads that make tokens of texts in each task, at least 1, or {@link
   *     ReadCorpusFactory#ALL_PROCESSORS}
   * @param roots below which files are read that a corpus names; each task's machine has them
   * @param heap share of each process's heap that documents and open blocks may take
   * @throws IllegalArgumentException if the specification is not one that {@link DatasetSpecs}
   *     makes, or its tokenizer cannot be loaded or has changed
   */
  public static void build(
      StreamExecutionEnvironment env,
      KafkaAccess kafka,
      DatasetSpec spec,
      int threads,
      SourceRoots roots,
      HeapShare heap) {
    DatasetSpecs.tokenizer(spec, TokenizerStore.of(kafka)).close();
    // Flink cuts the name of a chain behind 80 characters, and warns; a job's name has the
    // dataset's.
    String uid = "prepare-" + spec.getName();
    SingleOutputStreamOperator<DomainEvent> events =
        env.fromSource(
                corpus(kafka, spec),
                WatermarkStrategy.noWatermarks(),
                "corpus",
                CorpusRecordSerializer.TYPE)
            .uid(uid + "-corpus")
            .transform(
                "tokenize",
                DomainEventSerializer.TYPE,
                new ReadCorpusFactory(
                    spec,
                    kafka,
                    new CorpusSources(roots, new KafkaSupplyLog(SUPPLY_WAIT)),
                    System::currentTimeMillis,
                    threads))
            .setBufferTimeout(OutputSinks.LINGER.toMillis())
            .uid(uid + "-tokenize");
    events
        .getSideOutput(ReadCorpus.DEAD_LETTERS)
        .sinkTo(OutputSinks.deadLetters(kafka))
        .name("dead letters")
        .uid(uid + "-dead-letters");
    events
        .keyBy(DomainEvent::domain, Types.STRING)
        .transform(
            "pack",
            OutputRecordSerializer.TYPE,
            new PackBlocks(spec, kafka, SUPPLY_WAIT, System::currentTimeMillis, heap))
        .uid(uid + "-pack")
        .sinkTo(blocks(kafka, spec))
        .name("blocks")
        .uid(uid + "-blocks");
  }

  /** The same with the default share of the heap. */
  public static void build(
      StreamExecutionEnvironment env,
      KafkaAccess kafka,
      DatasetSpec spec,
      int threads,
      SourceRoots roots) {
    build(env, kafka, spec, threads, roots, HEAP);
  }

  /** The same with as many threads in each task as its process has processors, and no files. */
  public static void build(StreamExecutionEnvironment env, KafkaAccess kafka, DatasetSpec spec) {
    build(env, kafka, spec, ReadCorpusFactory.ALL_PROCESSORS, SourceRoots.NONE);
  }

  private static CorpusSource corpus(KafkaAccess kafka, DatasetSpec spec) {
    Topics topics = kafka.topics();
    return new CorpusSource(
        kafka.with(
            Map.of(
                "isolation.level",
                "read_committed",
                "receive.buffer.bytes",
                Selectable.USE_DEFAULT_BUFFER_SIZE)),
        spec.getDomains().stream().map(topics::corpus).toList(),
        topics.prefix() + "prepare-" + spec.getName());
  }

  private static Sink<OutputRecord> blocks(KafkaAccess kafka, DatasetSpec spec) {
    Topics topics = kafka.topics();
    List<String> written =
        new ArrayList<>(List.of(topics.supply(spec.getName()), topics.releases(spec.getName())));
    if (PackingSettings.hashes(spec)) {
      written.add(topics.lineage(spec.getName()));
    }
    for (String domain : spec.getDomains()) {
      written.add(topics.blocks(spec.getName(), domain));
      written.add(topics.eval(spec.getName(), domain));
    }
    // A dataset's name holds no '.', so no prefix is the start of another dataset's.
    return OutputSinks.exactlyOnce(
        kafka,
        "prepare-" + spec.getName(),
        written,
        spec.getDomains().size(),
        TopicAdmin.BLOCK_BYTES);
  }
}
