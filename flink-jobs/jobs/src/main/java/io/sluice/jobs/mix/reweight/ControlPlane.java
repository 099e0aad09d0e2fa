package io.sluice.jobs.mix.reweight;

import io.sluice.jobs.mix.rest.RestingRuns;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The deciding half of the job: commands, feedback, supply and the control log's echo in; control
 * entries, statuses and dead letters out.
 */
public final class ControlPlane {
  /** New runs and datasets are noticed within this time. */
  private static final String DISCOVERY_MILLIS = "1000";

  private static final long RECLAIM_SECONDS = 120;

  private static final TypeInformation<MixEvent> EVENTS = TypeInformation.of(MixEvent.class);
  private static final TypeInformation<KeyedRecord> RECORDS = TypeInformation.of(KeyedRecord.class);

  private ControlPlane() {}

  /** The consumer group with which it keeps what it has read of its topics. */
  public static String group(Topics topics) {
    return topics.prefix() + "mix-reweighter";
  }

  /** Adds it to the environment. The service's topics must exist. */
  public static void add(StreamExecutionEnvironment env, KafkaAccess kafka) {
    Topics topics = kafka.topics();
    // One source reads all: each run's records keep their order, and topics are listed once.
    DataStream<MixEvent> events =
        env.fromSource(
                source(kafka),
                WatermarkStrategy.noWatermarks(),
                "mix: commands, feedback, control, supply",
                EVENTS)
            .uid("mix-events");
    DataStream<MixEvent> ofRuns =
        events.filter(event -> !isOfDataset(topics, event)).name("mix: of runs").uid("mix-of-runs");
    DataStream<MixEvent> supply =
        events.filter(event -> isOfDataset(topics, event)).name("mix: supply").uid("mix-supply");
    SingleOutputStreamOperator<KeyedRecord> proposals =
        ofRuns
            .keyBy(MixEvent::runId, Types.STRING)
            .connect(supply.broadcast(Reweighter.SUPPLY, Reweighter.SEALED))
            .process(
                new Reweighter(topics, () -> UUID.randomUUID().toString(), System::nanoTime),
                RECORDS)
            .name("mix: reweight")
            .uid("mix-reweight");
    write(proposals, kafka, TopicWriter.inOneOrder(topics.control()), "control");
    proposals
        .getSideOutput(Reweighter.OWN_ENTRIES)
        .sinkTo(new RunLogSink(kafka))
        .name("mix: run logs")
        .uid("mix-run-logs");
    write(
        proposals.getSideOutput(Reweighter.STATUSES),
        kafka,
        TopicWriter.byKey(topics.status()),
        "status");
    write(
        proposals.getSideOutput(Reweighter.DEAD_LETTERS),
        kafka,
        TopicWriter.byKey(topics.deadLetters()),
        "dead-letters");
    write(
        AsyncDataStream.unorderedWait(
                proposals.getSideOutput(Reweighter.RECLAIMS),
                new ReclaimStreams(kafka),
                RECLAIM_SECONDS,
                TimeUnit.SECONDS)
            .returns(RECORDS)
            .name("mix: reclaim")
            .uid("mix-reclaim"),
        kafka,
        TopicWriter.byKey(topics.deadLetters()),
        "reclaim-failures");
  }

  private static boolean isOfDataset(Topics topics, MixEvent event) {
    return event.topic.startsWith(topics.supply("")) || event.topic.startsWith(topics.segments(""));
  }

  private static HintedTopics ownTopics(Topics topics, RestingRuns resting) {
    Pattern pattern =
        Pattern.compile(
            Pattern.quote(topics.control())
                + "|"
                + startingWith(topics.control(""))
                + "|"
                + Pattern.quote(topics.runs())
                + "|"
                + startingWith(topics.feedback(""))
                + "|"
                + startingWith(topics.supply(""))
                + "|"
                + startingWith(topics.segments("")));
    // A run's topics are made before its command is written, a dataset's after it is published.
    return new HintedTopics(pattern, List.of(topics.runs(), topics.datasets()), resting);
  }

  private static String startingWith(String prefix) {
    return Pattern.quote(prefix) + ".+";
  }

  private static PresentTopicsSource<MixEvent> source(KafkaAccess kafka) {
    String group = group(kafka.topics());
    RestingRuns resting = RestingRuns.in(kafka, group);
    KafkaSource<MixEvent> source =
        KafkaSource.<MixEvent>builder()
            .setProperties(
                kafka.with(
                    Map.of(
                        "isolation.level", "read_committed",
                        "partition.discovery.interval.ms", DISCOVERY_MILLIS,
                        "fetch.max.wait.ms", "100",
                        // It counts some dozen things for each topic of each run that was ever
                        // started, and each reporter keeps them all.
                        "metric.reporters", "",
                        "enable.metrics.push", "false")))
            .setKafkaSubscriber(ownTopics(kafka.topics(), resting))
            .setGroupId(group)
            .setClientIdPrefix(group)
            .setStartingOffsets(new LogOffsets(kafka))
            .setDeserializer(new MixEventReader(kafka.topics()))
            .build();
    return new PresentTopicsSource<>(source, kafka, resting, new MixEvent.Commands());
  }

  private static void write(
      DataStream<KeyedRecord> records, KafkaAccess kafka, TopicWriter writer, String name) {
    KafkaSink<KeyedRecord> sink =
        KafkaSink.<KeyedRecord>builder()
            .setKafkaProducerConfig(
                kafka.with(Map.of("linger.ms", "0", "acks", "all", "enable.idempotence", "true")))
            .setRecordSerializer(writer)
            .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
            .build();
    records.sinkTo(sink).name("mix: " + name).uid("mix-" + name);
  }
}
