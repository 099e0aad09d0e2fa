package io.sluice.lab.bench.end;

import io.sluice.jobs.mix.MixJob;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.lab.bench.measure.SealedBlocks;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.lab.python.PythonClient;
import io.sluice.schema.DatasetSpec;
import io.sluice.service.supervise.JavaProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Delivers the same rows by turns in each way, there and back, and says what all processes took.
 *
 * @param deliveries how its clients get tokens
 * @param peers whether other loaders take turns, too
 * @param python empty where there is none, and no reader in Python
 */
record EndBenchmark(
    Path directory,
    int warmUps,
    int repeats,
    List<Client> clients,
    List<Delivery> deliveries,
    boolean peers,
    Optional<PythonClient> python,
    BenchLog log) {
  private static final Duration JOB_START = Duration.ofMinutes(5);

  /** Options that the launcher gives {@code sluice trainer}. */
  private static final List<String> AS_TRAINER =
      List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** Measures at one number of domains. */
  List<EndRow> measure(EndShape shape) {
    List<Contender> contenders = new ArrayList<>();
    try (Stage stage = Stage.asUp(directory)) {
      BlockTopics blocks =
          BlockTopics.ofLength(
              stage.kafka(), shape.domains(), shape.rowsOfDomain(), shape.length());
      DatasetSpec dataset = dataset(stage, blocks, shape);
      stage.flink().submit("mix", env -> MixJob.build(env, stage.kafka())).awaitRunning(JOB_START);
      for (Client client : clients) {
        for (Delivery delivery : deliveries) {
          Readers readers =
              new Readers(shape.readers(), rank -> reader(client, stage, rank, shape.readers()));
          contenders.add(new ClientTurns(client, delivery, stage, dataset, shape, readers));
        }
      }
      if (peers) {
        contenders.addAll(peers(stage, blocks, shape));
      }
      return EndRow.of(shape.domains(), turns(contenders), warmUps);
    } finally {
      contenders.forEach(Contender::close);
    }
  }

  /** With all of its blocks, and, if a delivery needs it, with all of these in its store. */
  private DatasetSpec dataset(Stage stage, BlockTopics blocks, EndShape shape) {
    if (deliveries.contains(Delivery.DERIVED)) {
      return SealedBlocks.of(stage, blocks, shape.rowsOfDomain(), log);
    }
    log.say("filling %d domains", shape.domains());
    blocks.fill();
    return blocks.spec();
  }

  /** Other loaders, with files of the same rows that the stage deletes with its own. */
  private List<Contender> peers(Stage stage, BlockTopics blocks, EndShape shape) {
    Path rows = Stage.directory(stage.directory(), "rows-");
    log.say("writing the rows of %d domains", shape.domains());
    RowFiles.write(blocks, shape, rows);
    return PeerTurns.start(python.orElseThrow(), shape, rows, log);
  }

  private ProcessBuilder reader(Client client, Stage stage, int rank, int ranks) {
    List<String> arguments =
        List.of(stage.kafka().bootstrapServers(), Integer.toString(rank), Integer.toString(ranks));
    return switch (client) {
      case JAVA ->
          new JavaProcess(StreamReading.class.getName(), AS_TRAINER, arguments).builder(List.of());
      case PYTHON -> python.orElseThrow().module("sluice.bench.reading", arguments);
    };
  }

  private List<List<Measured>> turns(List<Contender> contenders) {
    List<Contender> order = new ArrayList<>(contenders);
    List<List<Measured>> turns = new ArrayList<>();
    for (int turn = 1 - warmUps; turn <= repeats; turn++) {
      List<Measured> measured = new ArrayList<>();
      for (Contender contender : order) {
        for (Measured each : contender.turn(warmUps + turn)) {
          log.say(
              "%s: %s, %s, %.2f CPU s/Gtok",
              BenchLog.turn(turn, repeats),
              contender.name(),
              each.way().turn().text(),
              each.allCpuSecondsPerGtok());
          measured.add(each);
        }
      }
      turns.add(measured);
      Collections.reverse(order);
    }
    return turns;
  }
}
