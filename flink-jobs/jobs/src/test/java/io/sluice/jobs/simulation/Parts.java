package io.sluice.jobs.simulation;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One run and everything that works for it alone. */
record Parts(RunModel run, Trainer trainer, List<Lane> lanes) {
  /**
   * What writes the stream partitions of a lane.
   *
   * @param twin a second live writer, from an old checkpoint of the first
   */
  record Lane(Writer writer, Writer twin) {}

  static Parts of(World world, RunModel run) {
    return new Parts(
        run,
        new Trainer(world, run, world.random()),
        IntStream.range(0, run.spec().getLanes())
            .mapToObj(lane -> new Lane(new Writer(world, run, lane), new Writer(world, run, lane)))
            .toList());
  }

  /** Any of the lanes. */
  Lane lane(Random random) {
    return lanes.get(random.nextInt(lanes.size()));
  }

  /** Whether the run has ended and its trainers have all that it granted. */
  boolean areDone() {
    ControlTruth control = run.control();
    return control.ended() && (trainer.hasAll() || control.phase().equals("deleted"));
  }

  /** What each waits for, for people. */
  String waits(Instance instance) {
    return String.format(
        "%s: %s, %d batches granted%n  controller: %s%n  split: %s%n  trainer: %s%n",
        run.id(),
        run.control().phase(),
        run.control().granted(),
        instance.waits(run),
        lanes.stream().map(lane -> lane.writer().waits()).collect(Collectors.joining("; ")),
        trainer.waits());
  }
}
