package io.sluice.lab.manifest;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/** What a Compose file is, as far as that of the repository says it. */
final class ComposeModel {
  private ComposeModel() {}

  record Compose(
      String name,
      @JsonProperty("x-flink") Service flink,
      Map<String, Service> services,
      Map<String, Object> volumes) {}

  record Service(
      String image,
      Build build,
      String restart,
      @JsonProperty("depends_on") List<String> dependsOn,
      List<String> profiles,
      List<String> command,
      @JsonProperty("working_dir") String workingDir,
      Map<String, String> environment,
      List<String> ports,
      List<String> volumes) {}

  record Build(String context, String dockerfile) {}
}
