package io.sluice.service.seal;

import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.corpus.inplace.RowFile;
import io.sluice.corpus.inplace.RowScan;
import io.sluice.corpus.inplace.RowSplit;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.FileInPlace;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Segment;
import io.sluice.schema.Supply;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index of domains whose blocks are in place: which rows their files have, and what hashes
 * these. It is made once. A pass that was broken off is made again, and says the same.
 */
public final class PlaceIndex {
  private static final Logger LOG = LoggerFactory.getLogger(PlaceIndex.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final KafkaAccess access;
  private final DatasetSpec spec;
  private final String owner;
  private final InstantSource clock;

  /**
   * The index of a dataset that has a store.
   *
   * @param cluster id of the Kafka cluster
   */
  public PlaceIndex(KafkaAccess access, DatasetSpec spec, String cluster, InstantSource clock) {
    this.access = access;
    this.spec = spec;
    this.owner = Sealers.owner(access, cluster);
    this.clock = clock;
  }

  /**
   * Makes the index of a domain, unless it is there.
   *
   * @param files of the domain, in their order
   * @param progress hears of bytes that were read
   * @return which rows are what; empty if nothing was done, since it is there
   * @throws BadInputException naming the file, if one cannot be a domain's blocks, or is not what
   *     it was when it was indexed
   */
  public Optional<RowSplit> make(String domain, List<RowFile> files, LongConsumer progress) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureDataset(spec);
    }
    boolean some = requireSame(domain, files);
    Supply supply = PreparedDomains.read(access, spec.getName()).get(domain);
    if (supply != null
        && supply.getFingerprint() == spec.getFingerprint()
        && (supply.getEnded() || supply.getBlocks() > 0)) {
      if (!some) {
        throw new BadInputException(
            "domain '" + domain + "' of dataset '" + spec.getName() + "' has blocks already");
      }
      return Optional.empty();
    }
    try (StoreFolder folder =
        StoreFolder.open(SegmentStore.of(spec.getStore()), spec.getName(), owner, some)) {
      return Optional.of(write(domain, files, folder, progress));
    } catch (SealingException | IOException e) {
      throw new BadInputException(
          "store of dataset '" + spec.getName() + "': " + e.getMessage(), e);
    } catch (ProducerFencedException | InvalidProducerEpochException e) {
      throw new BadInputException("another process indexes dataset '" + spec.getName() + "'", e);
    }
  }

  private RowSplit write(
      String domain, List<RowFile> files, StoreFolder folder, LongConsumer progress)
      throws IOException {
    try (PlaceWriter writer = new PlaceWriter(access, spec, folder, clock, progress)) {
      writer.begin();
      RowScan scan = new RowScan(spec, domain, files, writer);
      if (scan.split().training() < spec.getLanes()) {
        throw new BadInputException(
            "domain '%s' must have at least %d rows of %d tokens beside those held out: found %d"
                .formatted(
                    domain,
                    spec.getLanes(),
                    spec.getSequenceLength() + 1,
                    scan.split().training()));
      }
      scan.run();
      writer.end(domain, scan.split(), scan.documents());
      return scan.split();
    } catch (KafkaException e) {
      throw e.getCause() instanceof ProducerFencedException fenced ? fenced : e;
    }
  }

  /**
   * Checks that what is said of a domain is of these files as they are.
   *
   * @return whether anything is
   */
  private boolean requireSame(String domain, List<RowFile> files) {
    Map<String, FileInPlace> now =
        files.stream()
            .filter(file -> file.rows() > 0)
            .collect(Collectors.toMap(RowFile::uri, RowFile::file));
    Map<String, FileInPlace> said = said(domain);
    for (Map.Entry<String, FileInPlace> each : said.entrySet()) {
      FileInPlace found = now.get(each.getKey());
      if (!each.getValue().equals(found)) {
        throw new BadInputException(
            ("%s is not what it was when domain '%s' was indexed: it had %s, and %s. Blocks do not"
                    + " change: put it back, or give the dataset another name")
                .formatted(
                    each.getKey(),
                    domain,
                    described(each.getValue()),
                    found == null ? "is none of its files now" : "has " + described(found)));
      }
    }
    return !said.isEmpty();
  }

  private static String described(FileInPlace file) {
    return file.getBytes()
        + " bytes, modified at "
        + file.getVersion()
        + " ms"
        + (file.getIndexSha256().isEmpty() ? "" : ", and an index " + file.getIndexSha256());
  }

  private Map<String, FileInPlace> said(String domain) {
    Map<String, FileInPlace> said = new TreeMap<>();
    try (TopicReader reader = TopicReader.committed(access)) {
      reader.catchUp(
          access.topics().segments(spec.getName()),
          PATIENCE,
          message ->
              segment(message.value())
                  .filter(each -> each.getFingerprint() == spec.getFingerprint())
                  .filter(each -> each.getDomain().equals(domain) && each.getFile() != null)
                  .ifPresent(
                      each ->
                          said.put(
                              each.getData().getObject(), Objects.requireNonNull(each.getFile()))));
    }
    return said;
  }

  private static Optional<Segment> segment(byte[] value) {
    try {
      return Optional.of(WireCodec.decode(Segment.class, value));
    } catch (WireFormatException e) {
      LOG.debug("a record is no segment: {}", e.getMessage());
      return Optional.empty();
    }
  }
}
