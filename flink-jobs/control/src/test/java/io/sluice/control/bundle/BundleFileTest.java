package io.sluice.control.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.WireCodec;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BundleFileTest {
  @TempDir private Path folder;

  @Test
  void readsWhatWasWrittenAndWritesTheSameBytesAgain() throws IOException {
    Path file = folder.resolve("run.bundle");
    BundleFile written = BundleWriter.write(TestingBundles.bundle(), file);
    BundleFile read = BundleReader.read(file);
    assertThat(read).isEqualTo(written);
    assertThat(read.bytes()).isEqualTo(Files.size(file));

    Path again = folder.resolve("again.bundle");
    assertThat(BundleWriter.write(read.bundle(), again).sha256()).isEqualTo(read.sha256());
    assertThat(again).hasSameBinaryContentAs(file);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).as("nothing else is left").hasSize(2);
    }
  }

  @Test
  void replacesAFileOnlyByAWholeOne() throws IOException {
    Path nowhere = folder.resolve("missing").resolve("run.bundle");
    assertThatThrownBy(() -> BundleWriter.write(TestingBundles.bundle(), nowhere))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("--bundle must be a file that can be written");
    Path file = Files.writeString(folder.resolve("run.bundle"), "before");
    BundleWriter.write(TestingBundles.bundle(), file);
    assertThat(BundleReader.read(file).bundle()).isEqualTo(TestingBundles.bundle());
  }

  @Test
  void refusesAnythingElse() throws IOException {
    assertRefused(folder, "--from must be a bundle, which is a file");
    assertRefused(folder.resolve("none"), "--from must be a bundle that can be read");
    for (String begin : List.of("", "PK\u0003\u0004", "sluice-bundle 0\n", "sluice-bundle 1")) {
      Path file = Files.writeString(folder.resolve("other"), begin);
      assertRefused(
          file, "--from must be a bundle of 'sluice run export --bundle', and begin with");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 17, 999_999_999})
  void refusesALaterVersionBeforeAnythingElseOfTheFile(int version) throws IOException {
    Path file = Files.writeString(folder.resolve("later"), "sluice-bundle " + version + "\nwhat");
    assertRefused(
        file,
        "has version " + version + " of the format, this Sluice reads up to 1",
        "apply it with the release that wrote it, or a later one");
  }

  @Test
  void refusesAFileThatIsCutOffAnywhere() throws IOException {
    byte[] whole = written();
    for (int length = 16; length < whole.length; length += 7) {
      Path file = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, length));
      assertRefused(file, "is cut off or was changed", "copy it again, or export the run again");
    }
  }

  @Test
  void refusesAFileOfWhichAnyByteWasChangedOrAdded() throws IOException {
    byte[] whole = written();
    for (int at = 16; at < whole.length; at += 11) {
      byte[] changed = whole.clone();
      changed[at] ^= 1;
      assertRefused(Files.write(folder.resolve("changed"), changed), "is cut off or was changed");
    }
    assertRefused(
        Files.write(folder.resolve("longer"), Arrays.copyOf(whole, whole.length + 1)),
        "is cut off or was changed");
  }

  @Test
  void refusesAFileThatIsTooLarge() throws IOException {
    Path file = folder.resolve("large");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(BundleFile.MOST_BYTES + 1);
    }
    assertRefused(file, "must have at most 1073741824 bytes: 1073741825");
  }

  /** Whoever makes a file can give it a sum that is right. */
  @Test
  void takesNoMoreMemoryThanAHostileFileHasBytes() throws IOException {
    for (int length : new int[] {Integer.MAX_VALUE, 1 << 24, 100}) {
      assertRefused(
          summed(out -> out.writeInt(length)), "a record of " + length + " bytes where 0 are left");
    }
    assertRefused(summed(out -> out.writeInt(-1)), "a record of -1 bytes");
    assertRefused(summed(out -> {}), "no end");
    assertRefused(
        summed(
            out -> {
              out.writeInt(0);
              out.writeInt(0);
            }),
        "bytes behind its end");
  }

  @Test
  void refusesRecordsThatMakeNoRun() throws IOException {
    Bundle bundle = TestingBundles.bundle();
    assertRefused(records(List.of()), "no run");
    assertRefused(records(List.of(bundle.head(), bundle.dataset())), "no run");
    assertRefused(records(List.of(bundle.dataset())), "a DatasetSpec out of place");
    assertRefused(records(List.of(bundle.head(), bundle.head())), "a RunBundle out of place");
    List<SpecificRecordBase> turned = new ArrayList<>(bundle.records());
    turned.add(turned.remove(2));
    assertRefused(records(turned), "a Supply out of place");
    assertRefused(
        records(bundle.records().subList(0, bundle.records().size() - 1)),
        "4 entries, 1 reports and 0 batches where it says 4, 1 and 1");
    assertRefused(
        records(List.of(bundle.head(), new EndOfDomain("a", 0, 1L))),
        "a EndOfDomain, which is in no bundle");
  }

  @Test
  void saysWhichReleaseReadsRecordsOfAnother() throws IOException {
    byte[] head = WireCodec.encode(TestingBundles.bundle().head());
    Path file =
        summed(
            out -> {
              out.writeInt(head.length);
              out.write(head);
              out.writeInt(3);
              out.write(new byte[] {1, 2, 3});
              out.writeInt(0);
            });
    assertRefused(
        file,
        "a record that this release cannot read: not Avro single-object encoding",
        "apply it with the release that wrote it, 1.0, or a later one");
  }

  private byte[] written() throws IOException {
    Path file = folder.resolve("whole");
    BundleWriter.write(TestingBundles.bundle(), file);
    return Files.readAllBytes(file);
  }

  /** What comes between the first line and the sum. */
  private interface Content {
    void write(DataOutputStream out) throws IOException;
  }

  private Path records(List<SpecificRecordBase> records) throws IOException {
    return summed(
        out -> {
          for (SpecificRecordBase each : records) {
            byte[] value = WireCodec.encode(each);
            out.writeInt(value.length);
            out.write(value);
          }
          out.writeInt(0);
        });
  }

  private Path summed(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write("sluice-bundle 1\n".getBytes(StandardCharsets.US_ASCII));
    content.write(new DataOutputStream(bytes));
    MessageDigest sha256 = BundleFile.digest();
    bytes.write(sha256.digest(bytes.toByteArray()));
    return Files.write(folder.resolve("hostile"), bytes.toByteArray());
  }

  private static void assertRefused(Path file, String... words) {
    assertThatThrownBy(() -> BundleReader.read(file))
        .isInstanceOf(BadInputException.class)
        .hasMessageContainingAll(words);
  }
}
