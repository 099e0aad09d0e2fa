package io.sluice.jobs.mix.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.controller.TestingRuns;
import io.sluice.jobs.mix.source.TestingReaderContext;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.RunCommand;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A reader of the control plane, some of whose runs rest. */
class RestingReaderTest {
  private static final Topics TOPICS = Topics.standard();
  private static final RestingRun RUN = new RestingRun("a.1", "a", 41, 9, Set.of("paused"));
  private static final KafkaPartitionSplit COMMANDS = split(TOPICS.runs(), 0);
  private static final KafkaPartitionSplit LOG = split(TOPICS.control("a.1"), 41);
  private static final KafkaPartitionSplit FEEDBACK = split(TOPICS.feedback("a"), 9);
  private static final KafkaPartitionSplit OTHER = split(TOPICS.control("b.1"), 41);

  private final TestingReaderContext context = new TestingReaderContext();
  private final TestingSourceReader<RunCommand> inner = new TestingSourceReader<>();
  private final RestingReader<RunCommand> reader =
      new RestingReader<>(inner, context, TOPICS, new Commands());
  private final Taken taken = new Taken();

  private record Commands() implements AskedCommands<RunCommand> {
    @Override
    public String run(RunCommand event) {
      return event.getRunId();
    }

    @Override
    public RunCommand of(RunCommand event) {
      return event;
    }
  }

  private static KafkaPartitionSplit split(String topic, long offset) {
    return new KafkaPartitionSplit(new TopicPartition(topic, 0), offset);
  }

  private static RunCommand asked(String runId, String id) {
    return new RunCommand(id, runId, 7L, new ChangeRunState("deleted", "why"));
  }

  /** As another reader would go on with it. */
  private List<KafkaPartitionSplit> snapshot() {
    List<KafkaPartitionSplit> splits = new ArrayList<>();
    for (KafkaPartitionSplit each : reader.snapshotState(1)) {
      splits.addAll(each instanceof KeptSplits kept ? kept.splits() : List.of(each));
    }
    return splits;
  }

  private void told(RestingRun... runs) {
    reader.handleSourceEvents(new RestNews.Told(List.of(runs), true));
  }

  private List<String> polled(RunCommand... commands) throws Exception {
    inner.coming.addAll(List.of(commands));
    while (!inner.coming.isEmpty()) {
      reader.pollNext(taken);
    }
    return taken.commands.stream().map(RunCommand::getCommandId).toList();
  }

  @Test
  void nothingIsReadBeforeItIsToldWhoRests() {
    reader.addSplits(List.of(COMMANDS, LOG, FEEDBACK, OTHER));
    reader.start();
    assertThat(context.events()).containsExactly(new RestNews.Asked());
    reader.handleSourceEvents(new RestNews.Told(List.of(RUN), false));
    assertThat(inner.splits).isEmpty();
    assertThat(snapshot()).containsExactlyInAnyOrder(COMMANDS, LOG, FEEDBACK, OTHER);
    told();
    assertThat(inner.splits).containsExactlyInAnyOrder(COMMANDS, OTHER);
  }

  @Test
  void whatRestsIsKeptInCheckpointsAndReadOnFromThereOnceItIsWoken() {
    told(RUN);
    reader.addSplits(List.of(COMMANDS, LOG, FEEDBACK, OTHER));
    assertThat(inner.splits).containsExactly(COMMANDS, OTHER);
    assertThat(snapshot()).containsExactlyInAnyOrder(COMMANDS, LOG, FEEDBACK, OTHER);
    reader.handleSourceEvents(new RestNews.Woken(Set.of("a.1")));
    assertThat(inner.splits).containsExactlyInAnyOrder(COMMANDS, LOG, FEEDBACK, OTHER);
    assertThat(snapshot()).containsExactlyInAnyOrder(COMMANDS, LOG, FEEDBACK, OTHER);
  }

  @Test
  void howManyRestIsNoMatterOfHowManySplitsFlinkHas() {
    told(RUN, new RestingRun("c.1", "c", 5, 0, Set.of()));
    KafkaPartitionSplit third = split(TOPICS.control("c.1"), 5);
    KafkaPartitionSplit fourth = split(TOPICS.feedback("c"), 0);
    reader.addSplits(List.of(LOG, FEEDBACK, OTHER, third, fourth));
    List<KafkaPartitionSplit> splits = reader.snapshotState(1);
    assertThat(splits).hasSize(2).contains(OTHER);
    assertThat(snapshot()).containsExactlyInAnyOrder(LOG, FEEDBACK, OTHER, third, fourth);
  }

  @Test
  void whatWasKeptIsReadByWhoeverGoesOnIfItRestsNoMore() {
    reader.addSplits(List.of(LOG, FEEDBACK));
    List<KafkaPartitionSplit> kept = reader.snapshotState(1);
    assertThat(kept).hasSize(1);
    RestingReader<RunCommand> next = new RestingReader<>(inner, context, TOPICS, new Commands());
    next.addSplits(kept);
    next.handleSourceEvents(new RestNews.Told(List.of(), true));
    assertThat(inner.splits).containsExactlyInAnyOrder(LOG, FEEDBACK);
    assertThat(((KeptSplits) kept.get(0)).splits()).isEmpty();
  }

  @Test
  void outputsThatFlinkHasForSplitsThatRestAreLetGoOfOnce() throws Exception {
    reader.addSplits(List.of(LOG, FEEDBACK, OTHER));
    polled(asked("b.1", "before"));
    assertThat(taken.released).isEmpty();
    told(RUN);
    polled(asked("b.1", "after"), asked("b.1", "later"));
    assertThat(taken.released).containsExactlyInAnyOrder(LOG.splitId(), FEEDBACK.splitId());
  }

  @Test
  void thereIsNoOutputToLetGoOfForASplitThatWasKeptBeforeOrIsRead() throws Exception {
    told(RUN);
    reader.addSplits(List.of(new KeptSplits(0, List.of(LOG))));
    reader.addSplits(List.of(FEEDBACK));
    reader.handleSourceEvents(new RestNews.Woken(Set.of("a.1")));
    polled(asked("b.1", "after"));
    assertThat(inner.splits).containsExactlyInAnyOrder(LOG, FEEDBACK);
    assertThat(taken.released).isEmpty();
  }

  @Test
  void aSplitThatWasKeptComesToItsEndWithoutAnOutput() {
    AnsweredCommandsFilter<RunCommand> output = new AnsweredCommandsFilter<>(taken, each -> false);
    output.releaseOutputForSplit(LOG.splitId());
    output.releaseOutputForSplit(LOG.splitId());
    assertThat(taken.outputs).isEmpty();
    assertThat(taken.released).containsExactly(LOG.splitId(), LOG.splitId());
  }

  @Test
  void whatWasNotReadToItsEndIsReadAllTheSame() {
    told(RUN);
    KafkaPartitionSplit behind = split(TOPICS.feedback("a"), 8);
    KafkaPartitionSplit first = split(LOG.getTopic(), KafkaPartitionSplit.EARLIEST_OFFSET);
    reader.addSplits(List.of(behind, first));
    assertThat(inner.splits).containsExactly(behind, first);
  }

  @Test
  void aTopicOfARunThatIsWokenIsReadFromItsStartWhereItWasLeftOut() {
    told(RUN);
    reader.handleSourceEvents(new RestNews.Woken(Set.of("a.1")));
    KafkaPartitionSplit first = split(LOG.getTopic(), KafkaPartitionSplit.EARLIEST_OFFSET);
    reader.addSplits(List.of(first));
    assertThat(inner.splits).containsExactly(first);
  }

  @Test
  void whatItsLogHasAnsweredIsPassedOver() throws Exception {
    told(RUN);
    RunCommand start =
        new RunCommand(
            "start",
            "a.1",
            7L,
            new ApplyRun(TestingRuns.spec().build(), "stream", null, true, true));
    assertThat(polled(start, asked("a.1", "paused"), asked("b.1", "other")))
        .containsExactly("other");
    assertThat(context.events()).isEmpty();
  }

  @Test
  void whatIsNewGoesOnAndWakesItsRun() throws Exception {
    told(RUN);
    assertThat(polled(asked("a.1", "new"), asked("a.1", "paused"))).containsExactly("new");
    assertThat(context.events()).containsExactly(new RestNews.Called("a.1"));
    reader.handleSourceEvents(new RestNews.Woken(Set.of("a.1")));
    assertThat(polled(asked("a.1", "newer"))).containsExactly("new", "newer");
    assertThat(context.events()).hasSize(1);
  }

  @Test
  void whatASplitHandsOnPassesTheSameWay() throws Exception {
    told(RUN);
    inner.bySplit = true;
    assertThat(polled(asked("a.1", "paused"), asked("a.1", "new"))).containsExactly("new");
  }

  private static final class Taken implements ReaderOutput<RunCommand> {
    private final List<RunCommand> commands = new ArrayList<>();
    private final Set<String> outputs = new HashSet<>();
    private final List<String> released = new ArrayList<>();

    @Override
    public void collect(RunCommand command) {
      commands.add(command);
    }

    @Override
    public void collect(RunCommand command, long timestamp) {
      commands.add(command);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
      throw new UnsupportedOperationException("there is no time here: " + watermark);
    }

    @Override
    public void markIdle() {
      throw new UnsupportedOperationException("nobody waits for time");
    }

    @Override
    public void markActive() {
      throw new UnsupportedOperationException("nobody waits for time");
    }

    @Override
    public SourceOutput<RunCommand> createOutputForSplit(String splitId) {
      outputs.add(splitId);
      return this;
    }

    @Override
    public void releaseOutputForSplit(String splitId) {
      assertThat(outputs.remove(splitId)).isTrue();
      released.add(splitId);
    }
  }
}
