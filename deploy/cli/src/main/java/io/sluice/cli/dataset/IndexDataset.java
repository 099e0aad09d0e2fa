package io.sluice.cli.dataset;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.BadInputException;
import io.sluice.corpus.file.LocalFiles;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.inplace.RowFile;
import io.sluice.corpus.inplace.RowFiles;
import io.sluice.corpus.inplace.RowSplit;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.segment.InPlace;
import io.sluice.service.local.KafkaCluster;
import io.sluice.service.seal.PlaceIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Reads once the files that are the blocks of domains, and says what is in them. Doing it again
 * does nothing.
 */
@Command(
    name = "index",
    description =
        "Read the files that are the blocks of domains in place, so that runs can use them.")
public final class IndexDataset extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Name of the dataset.")
  private String name = "";

  @Option(
      names = "--domain",
      paramLabel = "DOMAIN",
      description = "Only this one; else all that are in place.")
  private Optional<String> domain = Optional.empty();

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    List<Indexed> indexed =
        index(access(), DatasetCommand.published(access()).require(name), domain);
    json.write(indexed);
    print(indexed.stream().map(Indexed::line).toList());
  }

  /**
   * What became of a domain.
   *
   * @param indexed now; false if it was before, and its files are as they were
   * @param blocks to train on; of these, and what follows, 0 if it was indexed before
   * @param files that have rows
   * @param tokensLeft at the ends of files, in no block
   */
  record Indexed(
      String domain, boolean indexed, long blocks, long heldOut, long files, long tokensLeft) {
    String line() {
      return indexed
          ? String.format(
              Locale.ROOT,
              "domain %s: %,d blocks and %,d held-out ones in %,d files; %,d tokens at the ends of"
                  + " files are in none",
              domain,
              blocks,
              heldOut,
              files,
              tokensLeft)
          : "domain " + domain + " is indexed already, and its files are as they were";
    }
  }

  /**
   * Makes the index of domains that are in place.
   *
   * @param only the one that is wanted; empty for all
   * @return what became of each
   */
  static List<Indexed> index(KafkaAccess access, DatasetSpec spec, Optional<String> only) {
    Set<String> domains = new TreeSet<>(InPlace.domains(spec));
    only.ifPresent(named -> domains.removeIf(each -> !each.equals(named)));
    if (domains.isEmpty()) {
      throw new BadInputException(
          "dataset '%s' must have sources with in-place: true%s: found none"
              .formatted(spec.getName(), only.map(each -> " of domain " + each).orElse("")));
    }
    List<Indexed> done = new ArrayList<>();
    PlaceIndex index =
        new PlaceIndex(access, spec, KafkaCluster.id(access), InstantSource.system());
    for (String each : domains) {
      done.add(index(index, spec, each));
    }
    return done;
  }

  private static Indexed index(PlaceIndex index, DatasetSpec spec, String domain) {
    List<RowFile> files = new ArrayList<>();
    try {
      RowFiles rows = new RowFiles(spec);
      for (SourceFile file : files(spec, domain)) {
        rows.open(file).ifPresent(files::add);
      }
      long left = files.stream().mapToLong(RowFile::left).sum();
      return index
          .make(domain, files, read -> {})
          .map(split -> made(domain, split, files.size(), left))
          .orElse(new Indexed(domain, false, 0, 0, 0, 0));
    } finally {
      files.forEach(IndexDataset::close);
    }
  }

  private static List<SourceFile> files(DatasetSpec spec, String domain) {
    List<String> paths =
        InPlace.sources(spec, domain).stream().map(DatasetSource::getPath).toList();
    return SourceFiles.below(new LocalFiles(), paths, false).files();
  }

  private static Indexed made(String domain, RowSplit split, int files, long left) {
    return new Indexed(domain, true, split.training(), split.heldOut(), files, left);
  }

  private static void close(RowFile file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
