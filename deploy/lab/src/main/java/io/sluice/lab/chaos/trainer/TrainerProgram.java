package io.sluice.lab.chaos.trainer;

import io.sluice.lab.python.PythonClient;
import io.sluice.service.supervise.JavaProcess;
import io.sluice.service.supervise.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a trainer runs as: the same, with a client of each language. */
@FunctionalInterface
public interface TrainerProgram {
  /** With the client in Java. */
  TrainerProgram JAVA =
      arguments ->
          new JavaProcess(
                  ScriptedTrainer.class.getName(),
                  List.of(
                      "-Xmx128m",
                      "-XX:+UseSerialGC",
                      "-XX:TieredStopAtLevel=1",
                      "-Dlog4j2.configurationFile="
                          + "classpath:io/sluice/service/broker/broker-log4j2.properties",
                      "-Dlog4j2.disableJmx=true"),
                  arguments)
              .remembered("trainer");

  /** With the client in Python; what marks the process stands after the arguments. */
  static Optional<TrainerProgram> python(Optional<PythonClient> client) {
    return client.map(
        python ->
            arguments ->
                marks -> {
                  List<String> all = new ArrayList<>(arguments);
                  all.addAll(marks);
                  return python.module("sluice.bench.scripted", all).redirectErrorStream(true);
                });
  }

  /** With the arguments of an {@link Assignment}. */
  Program with(List<String> arguments);
}
