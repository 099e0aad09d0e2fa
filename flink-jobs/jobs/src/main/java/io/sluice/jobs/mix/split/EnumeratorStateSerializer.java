package io.sluice.jobs.mix.split;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The enumerator's state as versioned bytes. */
public final class EnumeratorStateSerializer implements SimpleVersionedSerializer<EnumeratorState> {
  /** Likewise that of the splits in it. */
  private static final int VERSION = 5;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(EnumeratorState state) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(state.controlOffsets().size());
      for (Map.Entry<Integer, Long> entry : new TreeMap<>(state.controlOffsets()).entrySet()) {
        out.writeInt(entry.getKey());
        out.writeLong(entry.getValue());
      }
      out.writeInt(state.waiting().size());
      for (MixSplit split : state.waiting()) {
        MixSplitSerializer.write(split, out);
      }
      write(state.assigned(), out);
      write(state.ended(), out);
    }
    return bytes.toByteArray();
  }

  @Override
  public EnumeratorState deserialize(int version, byte[] serialized) throws IOException {
    if (version < 1 || version > VERSION) {
      throw new IOException("enumerator state must be of version [1, " + VERSION + "]: " + version);
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized))) {
      Map<Integer, Long> offsets = new HashMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        offsets.put(in.readInt(), in.readLong());
      }
      List<MixSplit> waiting = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        waiting.add(MixSplitSerializer.read(version, in));
      }
      return new EnumeratorState(offsets, waiting, readNames(in), readNames(in));
    }
  }

  private static void write(Set<String> names, DataOutputStream out) throws IOException {
    out.writeInt(names.size());
    for (String name : new TreeSet<>(names)) {
      out.writeUTF(name);
    }
  }

  private static Set<String> readNames(DataInputStream in) throws IOException {
    Set<String> names = new HashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      names.add(in.readUTF());
    }
    return names;
  }
}
