package io.sluice.cli.ingest.topic;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A topic as the table of what was ingested calls it: a folder, whose files are its partitions.
 *
 * @param name its name
 * @param id Kafka's id of it, which no other topic has
 */
public record TopicPlace(String name, String id) {
  private static final Pattern FOLDER = Pattern.compile("topic:([^/]+)/([^/]+)");
  private static final Pattern PARTITION = Pattern.compile("\\d{1,9}");

  /** The topic that a folder is; empty if it is one of files. */
  public static Optional<TopicPlace> of(String folder) {
    Matcher matcher = FOLDER.matcher(folder);
    return matcher.matches()
        ? Optional.of(new TopicPlace(matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }

  /** What the origins of its documents are relative to; no path of a file begins so. */
  public String folder() {
    return "topic:" + name + "/" + id;
  }

  /** The file that a partition is. */
  public String file(int partition) {
    return folder() + "/" + partition;
  }

  /** The file of a document's partition; empty if the document is not of this topic. */
  public Optional<String> file(String origin) {
    return origin.startsWith(name + "/")
            && PARTITION.matcher(origin.substring(name.length() + 1)).matches()
        ? Optional.of(folder() + origin.substring(name.length()))
        : Optional.empty();
  }
}
