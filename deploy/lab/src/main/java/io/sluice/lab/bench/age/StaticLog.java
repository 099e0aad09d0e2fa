package io.sluice.lab.bench.age;

import io.sluice.control.runs.NewRun;
import io.sluice.control.wire.RunSpecs;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.lab.bench.measure.DrivenRun;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How many entries the log of a run gets whose weights stay, while its trainer reports each step.
 */
final class StaticLog {
  private static final int BATCHES = 10_000;
  private static final int BATCH = 64;
  private static final long NOW = 1_000;

  private StaticLog() {}

  /** Entries for 10,000 batches, the start and the end among them. */
  static long entries(int domains) {
    List<String> names = IntStream.range(0, domains).mapToObj(i -> "d" + i).toList();
    DatasetSpec dataset =
        DatasetSpecs.resolve(new DatasetSettings("static", "bytes", 32, 1, 7, 0, names, 1));
    RunSpec spec =
        RunSpecs.complete(NewRun.of("static", dataset, BATCH).setBatches(BATCHES).build());
    DrivenRun run =
        new DrivenRun("static.bench", DrivenRun.supply(spec, 1L << 40), entry -> {}, NOW);
    run.start(spec, "");
    for (long batch = 1; batch <= BATCHES; batch++) {
      run.progress(batch);
    }
    return run.entries();
  }
}
