package io.sluice.jobs.mix.source;

import io.sluice.jobs.heap.HeapShare;
import io.sluice.jobs.mix.fetch.FetchMemory;
import io.sluice.jobs.mix.fetch.KafkaConsumers;
import io.sluice.jobs.mix.mark.KafkaStreamMarks;
import io.sluice.jobs.mix.mark.KafkaWrittenStreams;
import io.sluice.jobs.mix.split.EnumeratorState;
import io.sluice.jobs.mix.split.EnumeratorStateSerializer;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.MixSplitSerializer;
import io.sluice.jobs.mix.stream.RunFailures;
import io.sluice.jobs.mix.stream.StreamBuffer;
import io.sluice.jobs.mix.stream.StreamEvent;
import io.sluice.jobs.mix.stream.StreamEventTypeInfo;
import io.sluice.jobs.mix.stream.StreamSinkSettings;
import io.sluice.jobs.mix.tail.KafkaTopicEnds;
import io.sluice.jobs.mix.tail.PlaceSearch;
import io.sluice.jobs.mix.tail.StreamCheck;
import io.sluice.jobs.mix.tail.StreamTails;
import io.sluice.schema.KafkaAccess;
import java.util.function.Consumer;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The streams of all runs that the control log starts, in the order and to the extent that it
 * grants. Given the control log and the block topics, what it emits is a pure function: a restart
 * emits the same bytes.
 */
public final class MixtureSource
    implements Source<StreamEvent, MixSplit, EnumeratorState>, ResultTypeQueryable<StreamEvent> {
  /**
   * Share of a process's heap that the blocks of all runs may take where the job does not say it,
   * an option of Flink's.
   */
  public static final ConfigOption<Double> HEAP_SHARE =
      ConfigOptions.key("sluice.mix.heap-share")
          .doubleType()
          .defaultValue(MixtureSourceSettings.HEAP_SHARE);

  private static final long serialVersionUID = 1L;

  private final KafkaAccess access;
  private final MixtureSourceSettings settings;

  private final Boundedness boundedness;

  private MixtureSource(
      KafkaAccess access, MixtureSourceSettings settings, Boundedness boundedness) {
    this.access = access;
    this.settings = settings;
    this.boundedness = boundedness;
  }

  /** A source of every run on the control topic, now and ever after. */
  public static MixtureSource of(KafkaAccess access, MixtureSourceSettings settings) {
    return new MixtureSource(access, settings, Boundedness.CONTINUOUS_UNBOUNDED);
  }

  /**
   * A source of the runs that the control log holds when the source starts, or starts again. It
   * ends when each of them has: completed, stopped or deleted with all that was granted emitted, or
   * failed.
   */
  public static MixtureSource bounded(KafkaAccess access, MixtureSourceSettings settings) {
    return new MixtureSource(access, settings, Boundedness.BOUNDED);
  }

  @Override
  public Boundedness getBoundedness() {
    return boundedness;
  }

  @Override
  public SplitEnumerator<MixSplit, EnumeratorState> createEnumerator(
      SplitEnumeratorContext<MixSplit> context) {
    return restoreEnumerator(context, EnumeratorState.empty());
  }

  @Override
  public SplitEnumerator<MixSplit, EnumeratorState> restoreEnumerator(
      SplitEnumeratorContext<MixSplit> context, EnumeratorState state) {
    KafkaConsumers consumers = new KafkaConsumers(access);
    RunDiscovery discovery =
        new RunDiscovery(
            () -> consumers.heads("sluice-mix-discovery"),
            access.topics(),
            state,
            tails("sluice-mix-tails"),
            RunFailures.in(access),
            System::nanoTime);
    return new MixtureEnumerator(
        context, discovery, settings.discoveryInterval(), boundedness, state);
  }

  @Override
  public SourceReader<StreamEvent, MixSplit> createReader(SourceReaderContext context) {
    int tasks = context.currentParallelism();
    BlockHeap heap =
        BlockHeap.ofProcess(
            share(context),
            HeapShare.tasks(context.getConfiguration(), tasks),
            tasks,
            StreamSinkSettings.defaults().bufferBytes());
    return new MixtureReader(
        access.topics(),
        new KafkaConsumers(access),
        settings.withUnsentBytes(StreamBuffer.ofProcess(tasks).unsent(settings.unsentBytes())),
        FetchMemory.ofProcess(heap.bytes()),
        StatusNotices.in(access, "sluice-mix-notices-" + context.getIndexOfSubtask()),
        context,
        told -> check(context.getIndexOfSubtask(), told));
  }

  private HeapShare share(SourceReaderContext context) {
    HeapShare given = settings.heapShare();
    if (given != null) {
      return given;
    }
    try {
      return new HeapShare(context.getConfiguration().get(HEAP_SHARE));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(HEAP_SHARE.key() + ": " + e.getMessage(), e);
    }
  }

  private StreamCheck check(int subtask, Consumer<StreamCheck.Finding> told) {
    KafkaConsumers consumers = new KafkaConsumers(access);
    String name = "sluice-mix-streams-" + subtask;
    return new StreamCheck(
        new KafkaWrittenStreams(access, name, () -> consumers.control(name)),
        new PlaceSearch(
            () -> consumers.parts(name), access.topics(), tails(name), System::nanoTime),
        access.topics(),
        told,
        System::nanoTime);
  }

  private StreamTails tails(String clientId) {
    KafkaConsumers consumers = new KafkaConsumers(access);
    return new StreamTails(
        () -> consumers.parts(clientId),
        new KafkaTopicEnds(access),
        new KafkaStreamMarks(access),
        access,
        StreamSinkSettings.defaults().bufferBytes(),
        System::nanoTime);
  }

  @Override
  public SimpleVersionedSerializer<MixSplit> getSplitSerializer() {
    return new MixSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<EnumeratorState> getEnumeratorCheckpointSerializer() {
    return new EnumeratorStateSerializer();
  }

  @Override
  public TypeInformation<StreamEvent> getProducedType() {
    return StreamEventTypeInfo.INSTANCE;
  }
}
