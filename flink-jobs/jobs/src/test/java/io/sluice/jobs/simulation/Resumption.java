package io.sluice.jobs.simulation;

import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.source.SimulatedSplit;
import io.sluice.jobs.mix.split.LaneEnd;
import io.sluice.jobs.mix.split.LogPrefix;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.RunOutline;
import io.sluice.jobs.mix.split.SplitPlaces;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.jobs.mix.tail.SimulatedTails;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.LogPosition;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.RunStarted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/** Where a lane's split begins that has only the topics. */
final class Resumption {
  private Resumption() {}

  /** The split; empty before the run's start. */
  static Optional<MixSplit> of(World world, RunModel run, int lane) {
    List<MixSplit> starts = new ArrayList<>();
    read(world, run, (entry, logged) -> start(run, entry, logged, starts));
    if (starts.isEmpty()) {
      return Optional.empty();
    }
    RunOutline outline =
        world
            .conduct()
            .beginning(world.log(), run.id())
            .map(said -> new RunOutline(starts, prefix(starts, said)))
            .orElseGet(() -> new RunOutline(starts));
    read(world, run, (entry, logged) -> outline.apply(entry, logged.offset()));
    long window = world.conduct().windowOfStream();
    LaneEnd end = SimulatedTails.ends(outline, stream(run), window, window < 0 ? 1 : 8).get(lane);
    LogPrefix prefix =
        outline.before(
            end.index(),
            named -> world.log().read(named.getOffset()).map(said -> prefix(starts, said)));
    run.witness().saw(kind(starts, outline, prefix));
    SplitPlaces places = new SplitPlaces(outline, prefix, List.of(end));
    read(world, run, (entry, logged) -> places.apply(entry, logged.offset()));
    MixSplit split = places.end().get(0);
    boolean begins = split.cursor().firstIndex() == starts.get(0).cursor().firstIndex();
    run.witness().saw(begins ? "split begun anew" : "split begun where its stream ends");
    return Optional.of(split);
  }

  private static LogPrefix prefix(List<MixSplit> starts, ControlLog.Logged said) {
    return LogPrefix.of(starts.get(0), said.record(), said.offset(), EntryDigest.of(said.value()));
  }

  private static String kind(List<MixSplit> starts, RunOutline outline, LogPrefix prefix) {
    if (!prefix.equals(outline.prefix())) {
      return prefix.position().serial() == 0
          ? "place sought from the start"
          : "place sought from an earlier snapshot";
    }
    return prefix.equals(LogPrefix.start(starts.get(0)))
        ? "place sought in a log without a snapshot"
        : "place sought from the newest snapshot";
  }

  private static void start(
      RunModel run, ControlEntry entry, ControlLog.Logged logged, List<MixSplit> starts) {
    if (starts.isEmpty()
        && logged.record().getBody() instanceof RunStarted
        && LogPosition.start(run.id()).accepts(entry)) {
      IntStream.range(0, run.spec().getLanes())
          .forEach(l -> starts.add(SimulatedSplit.begun(run.spec(), l, entry, logged.offset())));
    }
  }

  private static void read(
      World world, RunModel run, BiConsumer<ControlEntry, ControlLog.Logged> reader) {
    for (Long next = world.log().next(ControlLog.START);
        next != null;
        next = world.log().next(next)) {
      world
          .log()
          .read(next)
          .filter(logged -> logged.record().getRunId().equals(run.id()))
          .ifPresent(
              logged -> reader.accept(ControlWire.read(logged.record(), logged.value()), logged));
    }
  }

  private static SimulatedTails.Stream stream(RunModel run) {
    return new SimulatedTails.Stream() {
      @Override
      public int begin(int partition) {
        return run.stream(partition).begin();
      }

      @Override
      public int end(int partition) {
        return run.stream(partition).end();
      }

      @Override
      public StreamRecord at(int partition, int place) {
        return run.stream(partition).at(place);
      }
    };
  }
}
