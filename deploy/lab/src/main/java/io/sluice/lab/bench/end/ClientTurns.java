package io.sluice.lab.bench.end;

import io.sluice.lab.bench.measure.BenchTopics;
import io.sluice.lab.bench.measure.MixedRun;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Map;

/**
 * Sluice with one of its clients: each turn mixes a run of its own while that is read, and then has
 * it read again. The job is in this process.
 */
record ClientTurns(
    Client client,
    Delivery delivery,
    Stage stage,
    DatasetSpec dataset,
    EndShape shape,
    Readers readers)
    implements Contender {

  @Override
  public String name() {
    return client.text() + ", " + delivery.text();
  }

  @Override
  public List<Measured> turn(int number) {
    String run = "end-" + client.text() + "-" + delivery.text() + "-" + number;
    List<ProcessHandle> broker = List.of(stage.broker());
    List<ProcessHandle> job = List.of(ProcessHandle.current());
    Measured live =
        Measured.of(
            Way.of(client, delivery, Turn.LIVE),
            Map.of(Part.BROKER, broker, Part.JOB, job, Part.READER, readers.handles()),
            () -> {
              request(run);
              return readers.read(run, shape.tokens());
            });
    Measured finished =
        Measured.of(
            Way.of(client, delivery, Turn.FINISHED),
            Map.of(Part.BROKER, broker, Part.READER, readers.handles()),
            () -> readers.read(run, shape.tokens()));
    if (delivery == Delivery.TOKENS) {
      BenchTopics.delete(stage.kafka(), List.of(stage.kafka().topics().stream(run)));
    }
    return List.of(live, finished);
  }

  /** Asks for a run whose mixture stays, and that is granted as its trainer comes along. */
  private void request(String name) {
    MixedRun fixed =
        new MixedRun(
            dataset, shape.partitions(), shape.batch(), shape.batches(), "static", Map.of(), 0);
    MixedRun.request(
        stage.kafka(),
        RunSpec.newBuilder(fixed.spec(name)).setLead(0).setDelivery(delivery.text()).build());
  }

  @Override
  public void close() {
    readers.close();
  }
}
