package io.sluice.control.bundle;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.BundledBatch;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentSet;
import io.sluice.schema.RunBundle;
import io.sluice.schema.RunCommand;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of bundles, which anybody may have written: nothing is taken from one before its
 * version and its sum were found right, and no more memory than it has bytes.
 */
public final class BundleReader {
  private static final Pattern LINE = Pattern.compile("sluice-bundle ([1-9][0-9]{0,8})\n");
  private static final int LONGEST_LINE = 32;
  private static final String AGAIN = "; copy it again, or export the run again";

  private final String name;
  private @Nullable RunBundle head;
  private @Nullable DatasetSpec dataset;
  private final List<Supply> supply = new ArrayList<>();
  private final List<DocumentSet> sets = new ArrayList<>();
  private final List<ControlRecord> entries = new ArrayList<>();
  private final List<RunCommand> commands = new ArrayList<>();
  private final List<TrainerFeedback> reports = new ArrayList<>();
  private final List<BundledBatch> batches = new ArrayList<>();
  private int kind;

  private BundleReader(String name) {
    this.name = name;
  }

  /**
   * What a file has.
   *
   * @throws BadInputException saying what it is not, and what to do
   */
  public static BundleFile read(Path file) {
    try {
      long bytes = Files.size(file);
      if (!Files.isRegularFile(file)) {
        throw new BadInputException("--from must be a bundle, which is a file: " + file);
      }
      BundleFile.requireSize(file.toString(), bytes);
      int line = requireVersion(file);
      String sha256 = requireSum(file, bytes);
      long end = bytes - BundleFile.SHA256_BYTES;
      return new BundleFile(new BundleReader(file.toString()).read(file, line, end), sha256, bytes);
    } catch (IOException e) {
      throw new BadInputException("--from must be a bundle that can be read: " + e, e);
    }
  }

  /** Bytes of the first line. */
  private static int requireVersion(Path file) throws IOException {
    byte[] begin;
    try (InputStream in = Files.newInputStream(file)) {
      begin = in.readNBytes(LONGEST_LINE);
    }
    Matcher line = LINE.matcher(new String(begin, StandardCharsets.ISO_8859_1));
    if (!line.lookingAt()) {
      throw new BadInputException(
          "--from must be a bundle of 'sluice run export --bundle', and begin with '"
              + BundleFile.NAME
              + BundleFile.VERSION
              + "': "
              + file);
    }
    int version = Integer.parseInt(line.group(1));
    if (version > BundleFile.VERSION) {
      throw new BadInputException(
          "bundle "
              + file
              + " has version "
              + version
              + " of the format, this Sluice reads up to "
              + BundleFile.VERSION
              + ": apply it with the release that wrote it, or a later one");
    }
    return line.end();
  }

  private static String requireSum(Path file, long bytes) throws IOException {
    MessageDigest digest = BundleFile.digest();
    byte[] said;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      byte[] buffer = new byte[1 << 16];
      for (long left = bytes - BundleFile.SHA256_BYTES; left > 0; ) {
        int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          break;
        }
        digest.update(buffer, 0, read);
        left -= read;
      }
      said = in.readNBytes(BundleFile.SHA256_BYTES);
    }
    byte[] found = digest.digest();
    if (!Arrays.equals(said, found)) {
      throw new BadInputException(
          "bundle "
              + file
              + " is cut off or was changed: its bytes have the SHA-256 "
              + HexFormat.of().formatHex(found)
              + ", its end says another"
              + AGAIN);
    }
    return HexFormat.of().formatHex(found);
  }

  private Bundle read(Path file, int from, long end) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      in.skipNBytes(from);
      long left = end - from;
      for (int length = next(in, left); length > 0; length = next(in, left)) {
        left -= Integer.BYTES;
        if (length > Math.min(left, BundleFile.RECORD_BYTES)) {
          throw bad("a record of " + length + " bytes where " + left + " are left");
        }
        byte[] value = in.readNBytes(length);
        left -= length;
        take(value);
      }
      if (left != Integer.BYTES) {
        throw bad("bytes behind its end");
      }
    }
    return whole();
  }

  private int next(DataInputStream in, long left) throws IOException {
    if (left < Integer.BYTES) {
      throw bad("no end");
    }
    int length = in.readInt();
    if (length < 0) {
      throw bad("a record of " + length + " bytes");
    }
    return length;
  }

  private void take(byte[] value) {
    SpecificRecordBase record;
    try {
      record = WireCodec.decode(value);
    } catch (WireFormatException e) {
      throw new BadInputException(
          "bundle "
              + name
              + " has a record that this release cannot read: "
              + e.getMessage()
              + "; apply it with the release that wrote it"
              + (head == null ? "" : ", " + head.getRelease())
              + ", or a later one",
          e);
    }
    if (record instanceof RunBundle only) {
      require(0, head == null, record);
      head = only;
    } else if (record instanceof DatasetSpec only) {
      require(1, dataset == null, record);
      dataset = only;
    } else if (record instanceof Supply each) {
      require(2, true, record);
      supply.add(each);
    } else if (record instanceof DocumentSet each) {
      require(3, true, record);
      sets.add(each);
    } else if (record instanceof ControlRecord each) {
      require(4, true, record);
      entries.add(each);
    } else if (record instanceof RunCommand each) {
      require(5, true, record);
      commands.add(each);
    } else if (record instanceof TrainerFeedback each) {
      require(6, true, record);
      reports.add(each);
    } else if (record instanceof BundledBatch each) {
      require(7, true, record);
      batches.add(each);
    } else {
      throw bad("a " + record.getSchema().getName() + ", which is in no bundle");
    }
  }

  /** Kinds of records follow each other. */
  private void require(int of, boolean first, SpecificRecordBase record) {
    if (of < kind || !first || (head == null && of > 0)) {
      throw bad("a " + record.getSchema().getName() + " out of place");
    }
    kind = of;
  }

  private Bundle whole() {
    RunBundle of = head;
    DatasetSpec data = dataset;
    if (of == null || data == null || entries.isEmpty()) {
      throw bad("no run");
    }
    if (of.getEntries() != entries.size()
        || of.getReports() != reports.size()
        || of.getBatches() != batches.size()) {
      throw bad(
          "%d entries, %d reports and %d batches where it says %d, %d and %d"
              .formatted(
                  entries.size(),
                  reports.size(),
                  batches.size(),
                  of.getEntries(),
                  of.getReports(),
                  of.getBatches()));
    }
    return new Bundle(of, data, supply, sets, entries, commands, reports, batches);
  }

  private BadInputException bad(String what) {
    return new BadInputException("bundle " + name + " is no bundle, it has " + what + AGAIN);
  }
}
