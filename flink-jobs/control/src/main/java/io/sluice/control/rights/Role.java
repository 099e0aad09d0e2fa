package io.sluice.control.rights;

import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.sluice.schema.Topics;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Who takes part in a deployment, and the least that its work takes. Only an operator makes,
 * changes and deletes topics: what the others need must be there before they begin.
 *
 * <p>Kafka gives whoever may read or write a topic the right to describe it.
 */
public sealed interface Role {
  /** All that its work takes. */
  List<Right> rights(Topics topics);

  /**
   * The jobs: they read every topic and write what they make and decide. Sequences of a stream that
   * no run needs any more they delete where a run asks for it. Datasets of another prefix are
   * others' to make.
   */
  record Job() implements Role {
    @Override
    public List<Right> rights(Topics topics) {
      return Stream.of(
              readAll(topics),
              Stream.of(Right.topics(topics.control(), WRITE)),
              Stream.of(topics.runs(), topics.status(), topics.streams(), topics.deadLetters())
                  .map(topic -> Right.topic(topic, WRITE)),
              Stream.of(Right.topics(topics.stream(""), WRITE, DELETE)),
              topics.ownsDatasets() ? madeOfDatasets(topics) : Stream.<Right>empty(),
              Stream.of(
                  named(ResourceType.TRANSACTIONAL_ID, topics, WRITE),
                  named(ResourceType.GROUP, topics, READ)))
          .flatMap(rights -> rights)
          .toList();
    }

    private static Stream<Right> madeOfDatasets(Topics topics) {
      return Stream.concat(
          Stream.of("blocks.", "eval.", "supply.", "releases.", "lineage.", "segments.")
              .map(made -> Right.topics(topics.datasetsPrefix() + made, WRITE)),
          Stream.of(topics.corpus(""), topics.refined(""), topics.answers(""))
              .map(refined -> Right.topics(refined, WRITE)));
    }
  }

  /**
   * Who applies datasets and runs, changes and deletes them, and with them makes and deletes
   * topics.
   */
  record Operator() implements Role {
    @Override
    public List<Right> rights(Topics topics) {
      return Stream.concat(
              Stream.of(
                  Right.topics(
                      topics.prefix(),
                      CREATE,
                      DELETE,
                      READ,
                      WRITE,
                      DESCRIBE_CONFIGS,
                      ALTER_CONFIGS),
                  named(ResourceType.TRANSACTIONAL_ID, topics, WRITE),
                  named(ResourceType.GROUP, topics, READ)),
              topics.ownsDatasets() ? Stream.empty() : ofOthers(topics))
          .toList();
    }

    /** What is masked in a run is among the sets of the datasets' prefix. */
    private static Stream<Right> ofOthers(Topics topics) {
      return Stream.of(
          Right.topics(topics.datasetsPrefix(), READ, DESCRIBE_CONFIGS),
          Right.topic(topics.sets(), WRITE));
    }
  }

  /** Who looks at everything, documents and tokens among it, and changes nothing. */
  record Observer() implements Role {
    @Override
    public List<Right> rights(Topics topics) {
      return Stream.concat(
              readAll(topics),
              Stream.of(
                  named(ResourceType.TRANSACTIONAL_ID, topics, DESCRIBE),
                  named(ResourceType.GROUP, topics, DESCRIBE)))
          .toList();
    }
  }

  /** Who ingests documents into one domain, and sees how far they are prepared. */
  record Producer(String domain) implements Role {
    /** Checks the name. */
    public Producer {
      Topics.requireName("domain", domain);
    }

    @Override
    public List<Right> rights(Topics topics) {
      return Stream.concat(
              Stream.of(
                  Right.topic(topics.corpus(domain), READ, WRITE, DESCRIBE_CONFIGS),
                  Right.topic(topics.ingested(), READ, WRITE, DESCRIBE_CONFIGS),
                  Right.topic(topics.deadLetters(), WRITE, DESCRIBE_CONFIGS),
                  Right.topics(topics.supply(""), READ)),
              Stream.of(
                      topics.datasets(), topics.tokenizers(), topics.refineries(), topics.purges())
                  .map(shared -> Right.topic(shared, READ, DESCRIBE_CONFIGS)))
          .toList();
    }
  }

  /**
   * Who trains on one run: reads its stream, or what it is derived of, and its evaluation sets, and
   * reports to it.
   *
   * @param dataset that the run mixes
   */
  record Trainer(String run, String dataset) implements Role {
    /** Checks the names. */
    public Trainer {
      Topics.requireName("run", run);
      Topics.requireName("dataset", dataset);
    }

    @Override
    public List<Right> rights(Topics topics) {
      // A run's id is its name, a dot and a suffix; no other run's begins so.
      return Stream.concat(
              Stream.of(
                  Right.topic(topics.stream(run), READ),
                  Right.topics(topics.control(run) + ".", READ),
                  Right.topic(topics.feedback(run), READ, WRITE),
                  Right.topics(topics.eval(dataset, ""), READ),
                  Right.topic(topics.supply(dataset), READ),
                  Right.topic(topics.segments(dataset), READ)),
              Stream.of(
                      topics.control(),
                      topics.datasets(),
                      topics.tokenizers(),
                      topics.sets(),
                      topics.status())
                  .map(shared -> Right.topic(shared, READ)))
          .toList();
    }
  }

  private static Stream<Right> readAll(Topics topics) {
    return Stream.of(topics.prefix(), topics.datasetsPrefix())
        .distinct()
        .map(prefix -> Right.topics(prefix, READ, DESCRIBE_CONFIGS));
  }

  private static Right named(ResourceType type, Topics topics, AclOperation... operations) {
    return new Right(type, PatternType.PREFIXED, topics.prefix(), List.of(operations));
  }
}
