package io.sluice.cli.plan.form;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.cli.plan.need.Plan;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The jobs of a plan as deployments of Flink's operator: those of {@code deploy/kubernetes}, whose
 * files are in this jar, with what all have alike put into each. They reach the brokers as those
 * do.
 *
 * @param topics names of the deployment's, whose prefix the jobs are given
 * @param state folder or bucket, as a URI, that all processes reach
 * @param jobsUser the user of Kafka that the jobs are
 */
public record FlinkForm(Plan plan, Topics topics, String state, String jobsUser) {
  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .build();

  private static final String PREPARE = "prepare.yaml";

  /** The manifests, as YAML: of MixJob if there are runs, and of each dataset and refinery. */
  public List<String> lines() {
    List<ObjectNode> documents = new ArrayList<>();
    if (!plan.runs().isEmpty()) {
      documents.add(job("mix.yaml", "mix"));
    }
    for (Plan.OfDataset dataset : plan.datasets()) {
      ObjectNode job = job(PREPARE, "prepare-" + dataset.dataset());
      replace(job, "--dataset=", "--dataset=" + dataset.dataset());
      documents.add(job);
    }
    for (String refinery : plan.refineries()) {
      ObjectNode job = job(PREPARE, "refine-" + refinery);
      replace(job, "prepare", "refine");
      replace(job, "--dataset=", "--refinery=" + refinery);
      documents.add(job);
    }
    List<String> lines = new ArrayList<>();
    documents.forEach(document -> lines.addAll(yaml(document)));
    return lines;
  }

  private static List<String> yaml(ObjectNode document) {
    try {
      return YAML.writeValueAsString(document).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ObjectNode job(String file, String name) {
    ObjectNode job = read(file);
    merge(job, without(read("cluster.yaml"), "metadata"));
    object(job, "metadata").put("name", KubernetesName.deployment(topics, name));
    ObjectNode spec = object(job, "spec");
    object(spec, "flinkConfiguration")
        .put("high-availability.storageDir", state + "/ha")
        .put("execution.checkpointing.dir", state + "/checkpoints")
        .put("execution.checkpointing.savepoint-dir", state + "/savepoints");
    if (!topics.equals(Topics.standard())) {
      ((ArrayNode) job.at("/spec/job/args")).add("--prefix=" + topics.prefixes());
    }
    for (JsonNode volume : job.at("/spec/podTemplate/spec/volumes")) {
      for (JsonNode source : volume.at("/projected/sources")) {
        if (source.at("/secret/name").asText().equals("sluice-jobs")) {
          object((ObjectNode) source, "secret").put("name", jobsUser);
        }
      }
    }
    return job;
  }

  /** The argument that begins so becomes another. */
  private static void replace(ObjectNode job, String beginning, String argument) {
    ArrayNode arguments = (ArrayNode) job.at("/spec/job/args");
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).asText().startsWith(beginning)) {
        arguments.set(i, argument);
      }
    }
  }

  /** Adds what another has; maps are merged, and nothing that is there is replaced. */
  private static void merge(ObjectNode into, ObjectNode from) {
    from.properties()
        .forEach(
            field -> {
              if (into.get(field.getKey()) instanceof ObjectNode inner
                  && field.getValue() instanceof ObjectNode more) {
                merge(inner, more);
              } else if (!into.has(field.getKey())) {
                into.set(field.getKey(), field.getValue());
              }
            });
  }

  private static ObjectNode without(ObjectNode node, String field) {
    node.remove(field);
    return node;
  }

  private static ObjectNode object(ObjectNode node, String field) {
    return (ObjectNode) node.get(field);
  }

  private static ObjectNode read(String file) {
    try (InputStream in = FlinkForm.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + file);
      }
      return (ObjectNode) YAML.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
