package io.sluice.cli.storage;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.plot.TextTable;
import io.sluice.schema.KafkaAccess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice storage}. */
@Command(
    name = "storage",
    description = {
      "Show who holds how much of the brokers' disks: each dataset, domain, refinery and run, and"
          + " the service; and the topics under the prefix that are nobody's.",
      "BYTES are of all copies, ONCE of one; both without indexes. Stores of datasets are not among"
          + " them. Takes the right to describe the cluster."
    })
public final class StorageCommand extends CliCommand {
  @Option(names = "--topics", description = "Also list the topics of each.")
  private boolean each;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    KafkaAccess access = access();
    SortedMap<String, TopicBytes> bytes = new LogDirs(access).read();
    Deployment deployment = Deployment.read(access, bytes.keySet());
    Holdings holdings =
        new Holdings(new TopicOwners(access.topics(), deployment).of(deployment.names()), bytes);
    json.write(view(holdings));
    print(lines(holdings));
  }

  private List<String> lines(Holdings holdings) {
    TextTable table = new TextTable(List.of("held by", "topics", "logs", "bytes", "once"));
    holdings
        .byOwner()
        .forEach(
            (owner, sum) -> {
              SortedMap<String, TopicBytes> topics = holdings.topics(owner);
              table.add(row(owner.toString(), Integer.toString(topics.size()), sum));
              if (each || owner.equals(Owner.NOBODY)) {
                topics.forEach((topic, some) -> table.add(row("  " + topic, "", some)));
              }
            });
    table.add(row("all", Integer.toString(holdings.owners().size()), holdings.total()));
    List<String> lines = new ArrayList<>(table.lines());
    if (holdings.byOwner().containsKey(Owner.NOBODY)) {
      lines.add(
          "what is nobody's: 'kafka-topics.sh --bootstrap-server "
              + global().access().bootstrapServers()
              + " --delete --topic NAME' if nobody needs it");
    }
    return lines;
  }

  private static List<String> row(String name, String topics, TopicBytes bytes) {
    return List.of(
        name,
        topics,
        Integer.toString(bytes.logs()),
        ByteText.of(bytes.bytes()),
        ByteText.of(bytes.once()));
  }

  private static Map<String, Object> view(Holdings holdings) {
    Map<String, Object> view = sizes(holdings.total());
    List<Object> holders = new ArrayList<>();
    holdings
        .byOwner()
        .forEach(
            (owner, sum) -> {
              Map<String, Object> holder = new LinkedHashMap<>();
              holder.put("kind", owner.kind().word());
              holder.put("name", owner.name());
              holder.putAll(sizes(sum));
              List<Object> topics = new ArrayList<>();
              holdings
                  .topics(owner)
                  .forEach(
                      (topic, some) -> {
                        Map<String, Object> row = new LinkedHashMap<>();
                        row.put("topic", topic);
                        row.putAll(sizes(some));
                        topics.add(row);
                      });
              holder.put("topics", topics);
              holders.add(holder);
            });
    view.put("holders", holders);
    return view;
  }

  private static Map<String, Object> sizes(TopicBytes bytes) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("partitions", bytes.partitions());
    view.put("logs", bytes.logs());
    view.put("bytes", bytes.bytes());
    view.put("once", bytes.once());
    return view;
  }
}
