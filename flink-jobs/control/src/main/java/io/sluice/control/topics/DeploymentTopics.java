package io.sluice.control.topics;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import io.sluice.schema.run.Delivery;
import io.sluice.schema.set.IdHash;
import java.util.ArrayList;
import java.util.List;

/**
 * The topics of a deployment, with what each must be like.
 *
 * @param topics their names
 */
record DeploymentTopics(Topics topics) {
  /** Those that every deployment has. */
  List<TopicSettings> service() {
    return List.of(
        TopicSettings.table(topics.datasets()),
        TopicSettings.table(topics.tokenizers()).compressed(),
        TopicSettings.log(topics.runs(), 1).thatIsActedOn(),
        TopicSettings.log(topics.control(), 1).thatIsActedOn(),
        TopicSettings.table(topics.ingested()),
        TopicSettings.table(topics.status()),
        TopicSettings.table(topics.streams()).thatIsActedOn(),
        sets(),
        purges(),
        TopicSettings.table(topics.refineries()),
        TopicSettings.log(topics.deadLetters(), 1));
  }

  TopicSettings purges() {
    return TopicSettings.table(topics.purges()).thatIsActedOn();
  }

  TopicSettings sets() {
    return TopicSettings.log(topics.sets(), 1).thatIsActedOn();
  }

  TopicSettings corpus(String domain) {
    return TopicSettings.log(topics.corpus(domain), 1).records(TopicAdmin.DOCUMENT_BYTES);
  }

  /**
   * A dataset's: corpus, blocks and held-out blocks of each domain, supply, what is decided while
   * it is prepared, lineage where blocks have hashes of ids, and segments where it has a store.
   */
  List<TopicSettings> dataset(DatasetSpec spec) {
    List<TopicSettings> wanted = new ArrayList<>();
    wanted.add(TopicSettings.table(topics.supply(spec.getName())));
    wanted.add(TopicSettings.log(topics.releases(spec.getName()), 1).thatIsActedOn());
    if (IdHash.in(spec.getDocumentIds())) {
      wanted.add(
          TopicSettings.log(topics.lineage(spec.getName()), 1)
              .records(TopicAdmin.BLOCK_BYTES)
              .compressed());
    }
    if (!spec.getStore().isEmpty()) {
      wanted.add(TopicSettings.table(topics.segments(spec.getName())).thatIsActedOn());
    }
    for (String domain : spec.getDomains()) {
      wanted.add(corpus(domain));
      wanted.add(blocks(topics.blocks(spec.getName(), domain), spec.getLanes()));
      wanted.add(blocks(topics.eval(spec.getName(), domain), spec.getLanes()));
    }
    return wanted;
  }

  /** A refinery's: corpora of its inputs and of what it writes, and what it decides. */
  List<TopicSettings> refinery(RefineSpec spec) {
    List<TopicSettings> wanted = new ArrayList<>();
    wanted.add(TopicSettings.log(topics.refined(spec.getName()), 1));
    if (spec.getSteps().stream().anyMatch(step -> step.getName().equals("synthesize"))) {
      wanted.add(
          TopicSettings.log(topics.answers(spec.getName()), 1).records(TopicAdmin.DOCUMENT_BYTES));
    }
    spec.getInputs().forEach(domain -> wanted.add(corpus(domain)));
    spec.getDomains().forEach(domain -> wanted.add(corpus(domain)));
    return wanted;
  }

  /** A run's: feedback, its control log and, if it has one, its stream. */
  List<TopicSettings> run(RunSpec spec, String runId) {
    List<TopicSettings> wanted = new ArrayList<>();
    wanted.add(TopicSettings.log(topics.feedback(spec.getRun()), Topics.FEEDBACK_PARTITIONS));
    wanted.add(TopicSettings.log(topics.control(runId), 1).thatIsActedOn());
    if (!Delivery.isDerived(spec)) {
      wanted.add(blocks(topics.stream(spec.getRun()), spec.getStreamPartitions()));
    }
    return wanted;
  }

  private static TopicSettings blocks(String name, int partitions) {
    return TopicSettings.log(name, partitions).records(TopicAdmin.BLOCK_BYTES).positionTimestamps();
  }
}
