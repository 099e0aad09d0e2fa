package io.sluice.jobs.mix.reweight;

import io.sluice.jobs.mix.rest.AskedCommands;
import io.sluice.jobs.mix.rest.KeptSplitsSerializer;
import io.sluice.jobs.mix.rest.RestingEnumerator;
import io.sluice.jobs.mix.rest.RestingReader;
import io.sluice.jobs.mix.rest.RestingRuns;
import io.sluice.schema.KafkaAccess;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A Kafka source whose topics may be deleted. Restored with a partition of a topic that is gone, a
 * plain {@link KafkaSource} waits for its position until it times out, fails, and does so again
 * after every restart: one deleted run would stop them all. Nor does it read anything of runs that
 * rest.
 *
 * @param resting who does; the source leaves their topics out
 * @param commands tells commands from other records
 */
record PresentTopicsSource<T>(
    KafkaSource<T> source, KafkaAccess kafka, RestingRuns resting, AskedCommands<T> commands)
    implements Source<T, KafkaPartitionSplit, KafkaSourceEnumState>, ResultTypeQueryable<T> {
  @Override
  public SourceReader<T, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    return new RestingReader<>(
        new PresentTopicsReader<>(
            source.createReader(context), new KafkaTopicNames(kafka), kafka.topics().control("")),
        context,
        kafka.topics(),
        commands);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return new RestingEnumerator(context, source.createEnumerator(context), resting, Set.of());
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState checkpoint)
      throws Exception {
    Set<String> known =
        checkpoint.splits().stream()
            .map(each -> each.split().getTopic())
            .collect(Collectors.toSet());
    return new RestingEnumerator(
        context, source.restoreEnumerator(context, checkpoint), resting, known);
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return new KeptSplitsSerializer(source.getSplitSerializer());
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return source.getEnumeratorCheckpointSerializer();
  }

  @Override
  public Boundedness getBoundedness() {
    return source.getBoundedness();
  }

  @Override
  public TypeInformation<T> getProducedType() {
    return source.getProducedType();
  }
}
