package io.sluice.lab.bench.end;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.ReaderProcess;
import io.sluice.lab.python.PythonClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Another loader, which mixes the same rows out of files: there is no broker and no job. */
record PeerTurns(String name, EndShape shape, Readers readers) implements Contender {
  private static final String MODULE = "sluice.bench.peers";

  /**
   * All loaders that the interpreter has, each in a process of its own that has prepared its files.
   *
   * @param rows directory of the rows, where loaders may write, too
   */
  static List<Contender> start(PythonClient python, EndShape shape, Path rows, BenchLog log) {
    List<Contender> peers = new ArrayList<>();
    try {
      for (String name : names(python)) {
        start(python, name, shape, rows, log).ifPresent(peers::add);
      }
      return peers;
    } catch (RuntimeException e) {
      peers.forEach(Contender::close);
      throw e;
    }
  }

  private static List<String> names(PythonClient python) {
    try (ReaderProcess process = ReaderProcess.start(python.module(MODULE, List.of()))) {
      List<String> names = new ArrayList<>();
      process.answer().forEach(name -> names.add(name.asText()));
      return names;
    }
  }

  private static Optional<PeerTurns> start(
      PythonClient python, String name, EndShape shape, Path rows, BenchLog log) {
    List<String> arguments =
        List.of(
            name,
            rows.toString(),
            Integer.toString(shape.length()),
            Integer.toString(shape.batch()),
            Long.toString(shape.batches()));
    log.say("preparing %s", name);
    Readers readers = new Readers(1, rank -> python.module(MODULE, arguments));
    JsonNode absent = readers.greeting().path("absent");
    if (absent.isMissingNode()) {
      return Optional.of(new PeerTurns(name, shape, readers));
    }
    log.say("%s is absent: %s", name, absent.asText());
    readers.close();
    return Optional.empty();
  }

  @Override
  public List<Measured> turn(int number) {
    return List.of(
        Measured.of(
            Way.files(name),
            Map.of(Part.READER, readers.handles()),
            () -> readers.read(name, shape.tokens())));
  }

  @Override
  public void close() {
    readers.close();
  }
}
