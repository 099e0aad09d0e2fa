package io.sluice.refine.decide;

import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefinedDomain;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts every record of a refinery's inputs by what became of it, and the documents of outputs.
 */
final class RefineTally {
  static final String KEPT = "kept";
  static final String NOT_DRAWN = "not drawn";
  static final String END = "end";
  static final String PURGED = "purged";
  static final String DEAD_LETTER = "dead letter";

  private final long[] offsets;
  private final boolean[] ended;
  private final Map<String, Long> counts = new TreeMap<>();
  private final Map<String, Output> outputs = new TreeMap<>();
  private long records;

  /** Documents of a domain, and bytes of their texts. */
  private record Output(long documents, long bytes) {
    private static Output sum(Output a, Output b) {
      return new Output(a.documents + b.documents, a.bytes + b.bytes);
    }
  }

  RefineTally(int inputs) {
    offsets = new long[inputs];
    ended = new boolean[inputs];
  }

  long records() {
    return records;
  }

  boolean hasEnded(int input) {
    return ended[input];
  }

  boolean allEnded() {
    for (boolean each : ended) {
      if (!each) {
        return false;
      }
    }
    return true;
  }

  void count(int input, long offset, String what) {
    offsets[input] = offset + 1;
    records++;
    counts.merge(what, 1L, Long::sum);
  }

  /** A document more of an output. */
  void add(String domain, long bytes) {
    outputs.merge(domain, new Output(1, bytes), Output::sum);
  }

  void end(int input, long offset) {
    count(input, offset, END);
    ended[input] = true;
  }

  /** How many documents each of these domains has, in their order. */
  Map<String, Long> documents(List<String> domains) {
    Map<String, Long> documents = new LinkedHashMap<>();
    for (String domain : domains) {
      Output output = outputs.get(domain);
      documents.put(domain, output == null ? 0 : output.documents());
    }
    return documents;
  }

  RefineProgress progress(long fingerprint, Map<String, String> notes) {
    List<RefinedDomain> domains = new ArrayList<>();
    outputs.forEach(
        (domain, output) ->
            domains.add(new RefinedDomain(domain, output.documents(), output.bytes())));
    return new RefineProgress(
        fingerprint,
        records,
        Arrays.stream(offsets).boxed().toList(),
        new TreeMap<>(counts),
        domains,
        notes,
        allEnded());
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(records);
    out.writeInt(offsets.length);
    for (int i = 0; i < offsets.length; i++) {
      out.writeLong(offsets[i]);
      out.writeBoolean(ended[i]);
    }
    out.writeInt(counts.size());
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      out.writeUTF(count.getKey());
      out.writeLong(count.getValue());
    }
    out.writeInt(outputs.size());
    for (Map.Entry<String, Output> output : outputs.entrySet()) {
      out.writeUTF(output.getKey());
      out.writeLong(output.getValue().documents());
      out.writeLong(output.getValue().bytes());
    }
  }

  void read(DataInputStream in) throws IOException {
    records = in.readLong();
    int inputs = in.readInt();
    if (inputs != offsets.length) {
      throw new IllegalArgumentException(
          "state of a refinery must be of " + offsets.length + " inputs: found " + inputs);
    }
    for (int i = 0; i < inputs; i++) {
      offsets[i] = in.readLong();
      ended[i] = in.readBoolean();
    }
    counts.clear();
    for (int left = in.readInt(); left > 0; left--) {
      counts.put(in.readUTF(), in.readLong());
    }
    outputs.clear();
    for (int left = in.readInt(); left > 0; left--) {
      outputs.put(in.readUTF(), new Output(in.readLong(), in.readLong()));
    }
  }
}
