package io.sluice.lab.bench.age;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.run.StreamState;
import io.sluice.control.error.UnreachableException;
import io.sluice.lab.python.PythonClient;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Opens trainers in Python. */
record PythonOpening(PythonClient client) {
  /** Opens a run again and again in one process, which takes the times. */
  Cost measure(KafkaAccess kafka, String run, StreamState state, int repeats) {
    ProcessBuilder python =
        client.module(
            "sluice.bench.opening",
            List.of(
                "--bootstrap",
                kafka.bootstrapServers(),
                "--run",
                run,
                "--state",
                state.toJson(),
                "--repeats",
                Integer.toString(repeats)));
    python.redirectError(ProcessBuilder.Redirect.INHERIT);
    try {
      Process process = python.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new UnreachableException("Python did not open run " + run + ": " + said);
      }
      JsonNode taken = new ObjectMapper().readTree(said);
      return Cost.ofNanos(nanos(taken.get("wall")), nanos(taken.get("processor")));
    } catch (IOException e) {
      throw new UnreachableException("Python cannot be started: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while Python opened run " + run, e);
    }
  }

  private static List<Double> nanos(JsonNode seconds) {
    List<Double> nanos = new ArrayList<>();
    seconds.forEach(each -> nanos.add(each.asDouble() * 1e9));
    return nanos;
  }
}
