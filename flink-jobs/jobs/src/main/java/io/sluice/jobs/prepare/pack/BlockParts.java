package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.serial.Bytes;
import io.sluice.schema.Limits;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Which documents a block's tokens are of, as far as it is filled. */
final class BlockParts {
  private final List<Integer> lengths = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private boolean open;

  /** What comes next is of another document. */
  void begin() {
    open = false;
  }

  /** Adds tokens to the document's part, which begins here if none is open. */
  void add(String id, int tokens) {
    if (open) {
      int last = lengths.size() - 1;
      lengths.set(last, lengths.get(last) + tokens);
    } else {
      lengths.add(tokens);
      ids.add(id);
      open = true;
    }
  }

  int size() {
    return lengths.size();
  }

  List<Integer> lengths() {
    return List.copyOf(lengths);
  }

  List<String> ids() {
    return Limits.blockIds(ids);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(ids.size());
    for (int part = 0; part < ids.size(); part++) {
      out.writeInt(lengths.get(part));
      Bytes.writeText(out, ids.get(part));
    }
  }

  void read(DataInputStream in) throws IOException {
    int parts = in.readInt();
    for (int part = 0; part < parts; part++) {
      lengths.add(in.readInt());
      ids.add(Bytes.readText(in));
    }
  }
}
