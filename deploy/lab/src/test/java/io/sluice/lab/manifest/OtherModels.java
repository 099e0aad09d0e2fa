package io.sluice.lab.manifest;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import java.util.List;

/** What JobSet v1alpha2 and Prometheus' operator take, as far as the manifests say it. */
final class OtherModels {
  private OtherModels() {}

  record JobSet(String apiVersion, String kind, ObjectMeta metadata, JobSetSpec spec) {}

  record JobSetSpec(
      Boolean suspend, List<ReplicatedJob> replicatedJobs, FailurePolicy failurePolicy) {}

  record ReplicatedJob(String name, Integer replicas, JobTemplateSpec template) {}

  record FailurePolicy(Integer maxRestarts) {}

  record PodMonitor(String apiVersion, String kind, ObjectMeta metadata, PodMonitorSpec spec) {}

  record PodMonitorSpec(LabelSelector selector, List<Endpoint> podMetricsEndpoints) {}

  record Endpoint(String port) {}
}
