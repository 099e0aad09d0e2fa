package io.sluice.jobs.simulation;

/**
 * One run and everything that works for it alone.
 *
 * @param twin a second live writer, from an old checkpoint of the first
 */
record Parts(RunModel run, Trainer trainer, Writer writer, Writer twin) {
  static Parts of(World world, RunModel run) {
    return new Parts(
        run,
        new Trainer(world, run, world.random()),
        new Writer(world, run),
        new Writer(world, run));
  }

  /** Whether the run has ended and its trainers have all that it granted. */
  boolean areDone() {
    ControlTruth control = run.control();
    return control.ended() && (trainer.hasAll() || control.phase().equals("deleted"));
  }

  /** What each waits for, for people. */
  String waits(Instance instance) {
    return String.format(
        "%s: %s, %d batches granted%n  desk: %s%n  split: %s%n  trainer: %s%n",
        run.id(),
        run.control().phase(),
        run.control().granted(),
        instance.waits(run),
        writer.waits(),
        trainer.waits());
  }
}
