package io.sluice.cli.upgrade;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * How a job is started from a jar.
 *
 * @param jar Flink's id of it
 * @param options of Flink's, beside those of the cluster
 */
record Start(String jar, List<String> arguments, int parallelism, Map<String, String> options) {
  /** What Flink is asked for the plan of the job. */
  ObjectNode planned() {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    ArrayNode given = request.putArray("programArgsList");
    arguments.forEach(given::add);
    request.put("parallelism", parallelism);
    ObjectNode configuration = request.putObject("flinkConfiguration");
    options.forEach(configuration::put);
    return request;
  }

  /** What Flink is asked for to start it from a savepoint, which stays. */
  ObjectNode from(String savepoint) {
    ObjectNode request = planned();
    request.put("savepointPath", savepoint);
    request.put("claimMode", "NO_CLAIM");
    request.put("allowNonRestoredState", false);
    return request;
  }
}
