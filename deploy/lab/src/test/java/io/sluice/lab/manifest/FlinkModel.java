package io.sluice.lab.manifest;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Map;

/** What Flink's operator 1.15 takes, as far as the manifests say it. */
final class FlinkModel {
  private FlinkModel() {}

  record Deployment(
      @JsonProperty(required = true) String apiVersion,
      @JsonProperty(required = true) String kind,
      @JsonProperty(required = true) ObjectMeta metadata,
      @JsonProperty(required = true) Spec spec) {}

  record Spec(
      String image,
      Version flinkVersion,
      Mode mode,
      String serviceAccount,
      Map<String, String> flinkConfiguration,
      PodTemplateSpec podTemplate,
      Component jobManager,
      Component taskManager,
      Job job) {}

  record Component(Integer replicas, Resource resource) {}

  record Resource(Double cpu, String memory) {}

  record Job(
      String jarURI,
      String entryClass,
      List<String> args,
      Integer parallelism,
      State state,
      UpgradeMode upgradeMode) {}

  enum Version {
    @JsonProperty("v2_0")
    V2_0,
    @JsonProperty("v2_1")
    V2_1,
    @JsonProperty("v2_2")
    V2_2,
    @JsonProperty("v2_3")
    V2_3,
    @JsonProperty("v2_4")
    V2_4
  }

  enum Mode {
    @JsonProperty("native")
    NATIVE,
    @JsonProperty("standalone")
    STANDALONE
  }

  enum State {
    @JsonProperty("running")
    RUNNING,
    @JsonProperty("suspended")
    SUSPENDED
  }

  enum UpgradeMode {
    @JsonProperty("savepoint")
    SAVEPOINT,
    @JsonProperty("last-state")
    LAST_STATE,
    @JsonProperty("stateless")
    STATELESS
  }
}
