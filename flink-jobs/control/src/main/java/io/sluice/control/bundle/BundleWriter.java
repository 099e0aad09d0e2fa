package io.sluice.control.bundle;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.WireCodec;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.apache.avro.specific.SpecificRecordBase;

/** Writes bundles to files, each as a whole or not at all. */
final class BundleWriter {
  private BundleWriter() {}

  /**
   * Writes a bundle.
   *
   * @throws BadInputException if the file cannot be written, or the run is too large for one
   */
  static BundleFile write(Bundle bundle, Path file) {
    Path absolute = file.toAbsolutePath();
    Path folder = absolute.getParent();
    try {
      Path part = Files.createTempFile(folder, ".bundle-", ".part");
      try {
        String sha256 = write(bundle, part, file.toString());
        Files.move(part, absolute, StandardCopyOption.REPLACE_EXISTING);
        return new BundleFile(bundle, sha256, Files.size(absolute));
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw new BadInputException("--bundle must be a file that can be written: " + e, e);
    }
  }

  private static String write(Bundle bundle, Path part, String name) throws IOException {
    MessageDigest digest = BundleFile.digest();
    try (DataOutputStream out =
        new DataOutputStream(
            new DigestOutputStream(
                new BufferedOutputStream(Files.newOutputStream(part)), digest))) {
      out.write(BundleFile.firstLine());
      long bytes = BundleFile.firstLine().length;
      for (SpecificRecordBase each : bundle.records()) {
        byte[] value = WireCodec.encode(each);
        bytes += Integer.BYTES + value.length;
        BundleFile.requireSize(name, bytes + Integer.BYTES + BundleFile.SHA256_BYTES);
        requireRecord(each, value);
        out.writeInt(value.length);
        out.write(value);
      }
      out.writeInt(0);
      byte[] sum = digest.digest();
      out.write(sum);
      return HexFormat.of().formatHex(sum);
    }
  }

  private static void requireRecord(SpecificRecordBase record, byte[] value) {
    if (value.length > BundleFile.RECORD_BYTES) {
      throw new BadInputException(
          "a bundle's "
              + record.getSchema().getName()
              + " must have at most "
              + BundleFile.RECORD_BYTES
              + " bytes: "
              + value.length);
    }
  }
}
