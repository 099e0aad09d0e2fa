package io.sluice.jobs.mix.rest;

import io.sluice.jobs.mix.mark.StreamMarks;
import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.Topics;
import io.sluice.schema.WholeStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the runs that rest: a mark says that they have ended, their log has the record that it
 * names and says so, too, nothing more comes of what was asked, and nothing has come from trainers
 * that a job has not read. Costs one record of each log that ends with that record, some more of
 * others, and the commands.
 */
record RestSearch(RestBrokers brokers, StreamMarks marks, Topics topics) {
  private static final int AT_ONCE = 500;

  /** Those that rest, by id. */
  Map<String, RestingRun> find() {
    Map<String, WholeStream> said = new HashMap<>(marks.read());
    said.entrySet().removeIf(each -> !StreamMarks.isOf(each.getKey(), each.getValue()));
    Map<String, RestingRun> found = new HashMap<>();
    if (said.isEmpty()) {
      return found;
    }
    Set<String> there = brokers.topics();
    said.values()
        .removeIf(
            mark ->
                !there.contains(log(mark.getRunId()).topic())
                    || !there.contains(feedback(mark.getRun()).topic()));
    Map<String, List<AskedCommand>> asked = asked(said.keySet());
    said.keySet()
        .removeIf(runId -> asked.getOrDefault(runId, List.of()).size() > RestingRun.MOST_SETTLED);
    List<WholeStream> all = List.copyOf(said.values());
    for (int i = 0; i < all.size(); i += AT_ONCE) {
      find(all.subList(i, Math.min(all.size(), i + AT_ONCE)), asked, found);
    }
    return found;
  }

  /** What was asked of these runs, other than to start them, oldest first. */
  private Map<String, List<AskedCommand>> asked(Set<String> runIds) {
    TopicPartition commands = new TopicPartition(topics.runs(), 0);
    long heard = brokers.kept(List.of(commands)).getOrDefault(commands, 0L);
    Map<String, List<AskedCommand>> asked = new HashMap<>();
    brokers.commands(
        (command, offset) -> {
          if (runIds.contains(command.getRunId()) && !(command.getBody() instanceof ApplyRun)) {
            asked
                .computeIfAbsent(command.getRunId(), runId -> new ArrayList<>())
                .add(AskedCommand.of(command, offset < heard));
          }
        });
    return asked;
  }

  private void find(
      List<WholeStream> said,
      Map<String, List<AskedCommand>> asked,
      Map<String, RestingRun> found) {
    Map<TopicPartition, Long> ends =
        ends(said, mark -> log(mark.getRunId()), mark -> feedback(mark.getRun()));
    RestCandidates runs = new RestCandidates(topics, ends, asked, found);
    Set<TopicPartition> heard = new HashSet<>();
    said.forEach(mark -> heard.add(feedback(mark.getRun())));
    heard.removeIf(feedback -> ends.getOrDefault(feedback, 0L) == 0);
    Map<TopicPartition, Long> kept = heard.isEmpty() ? Map.of() : brokers.kept(heard);
    Map<TopicPartition, Span> named = new HashMap<>();
    for (WholeStream mark : said) {
      if (runs.add(mark, kept.getOrDefault(feedback(mark.getRun()), 0L))) {
        named.put(log(mark.getRunId()), new Span(mark.getLogOffset(), mark.getLogOffset() + 1));
      }
    }
    brokers.read(named, runs::look);
    new LogEndings(brokers, topics).of(runs.unclear()).forEach(runs::settle);
  }

  /** The runs among these of which something has come since, or something is gone. */
  Set<String> moved(Collection<RestingRun> runs) {
    Map<TopicPartition, Long> ends =
        ends(runs, run -> log(run.runId()), run -> feedback(run.run()));
    Set<String> moved = new HashSet<>();
    for (RestingRun run : runs) {
      if (ends.getOrDefault(log(run.runId()), run.logEnd()) != run.logEnd()
          || ends.getOrDefault(feedback(run.run()), run.feedbackEnd()) != run.feedbackEnd()) {
        moved.add(run.runId());
      }
    }
    return moved;
  }

  /** Keeps anew that a job has read what trainers have said of these runs. */
  void keep(Collection<RestingRun> runs) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (RestingRun run : runs) {
      if (run.feedbackEnd() > 0) {
        offsets.put(feedback(run.run()), run.feedbackEnd());
      }
    }
    if (!offsets.isEmpty()) {
      brokers.keep(offsets);
    }
  }

  private <T> Map<TopicPartition, Long> ends(
      Collection<T> runs, Function<T, TopicPartition> log, Function<T, TopicPartition> feedback) {
    return brokers.ends(
        Stream.concat(runs.stream().map(log), runs.stream().map(feedback)).toList());
  }

  private TopicPartition log(String runId) {
    return new TopicPartition(topics.control(runId), 0);
  }

  private TopicPartition feedback(String run) {
    return new TopicPartition(topics.feedback(run), 0);
  }
}
