package io.sluice.cli.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.contract.TestingLoader.Batch;
import io.sluice.cli.contract.TestingLoader.Failure;
import io.sluice.cli.contract.TestingLoader.Opening;
import io.sluice.cli.loop.TestingPython;
import io.sluice.client.run.StreamState;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The client of this project for Python, in a process that does what each line of JSON says. */
final class PythonClient implements TestingClient {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter questions;
  private int loaders;

  PythonClient(KafkaAccess kafka) throws IOException {
    List<String> arguments =
        List.of(kafka.bootstrapServers(), Long.toString(Patience.MINUTE.toSeconds()));
    process =
        TestingPython.process(TestingPython.script("contract.py", arguments))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    answers = process.inputReader();
    questions = process.outputWriter();
  }

  @Override
  public TestingLoader open(String run, Opening opening) {
    int id = loaders++;
    ObjectNode question = question("open", id);
    question.put("run", run).put("rank", opening.rank()).put("world", opening.worldSize());
    question.put("replica", opening.replica()).put("attach", opening.attaches());
    ask(question.put("bytes", opening.bufferBytes()));
    return new PythonLoader(id);
  }

  private static ObjectNode question(String word, int loader) {
    return JSON.createObjectNode().put("do", word).put("loader", loader);
  }

  private JsonNode ask(ObjectNode question) {
    try {
      questions.write(question + "\n");
      questions.flush();
      String answer = answers.readLine();
      if (answer == null) {
        throw new AssertionError("Python has ended at " + question);
      }
      JsonNode read = JSON.readTree(answer);
      if (read.has("error")) {
        throw new Failure(
            read.get("error").asText().replaceFirst("Error$", ""), read.get("message").asText());
      }
      return read;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private final class PythonLoader implements TestingLoader {
    private final int id;
    private int trained;

    PythonLoader(int id) {
      this.id = id;
    }

    @Override
    public Batch next() {
      JsonNode batch = ask(question("next", id));
      List<String> rows = new ArrayList<>();
      batch.get("rows").forEach(row -> rows.add(row.asText()));
      trained = batch.get("trained").asInt();
      return new Batch(batch.get("batch").asLong(), batch.get("timeline").asInt(), rows);
    }

    @Override
    public int trained() {
      return trained;
    }

    @Override
    public StreamState state() {
      return StreamState.parse(ask(question("state", id)).get("state").toString());
    }

    @Override
    public void seek(StreamState state) {
      try {
        ObjectNode question = question("seek", id);
        question.set("state", JSON.readTree(state.toJson()));
        ask(question);
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(e);
      }
    }

    @Override
    public void seekToBatch(long batch) {
      ask(question("seek-to-batch", id).put("batch", batch));
    }

    @Override
    public void close() {
      ask(question("close", id));
    }
  }
}
