package io.sluice.cli.domain;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.Printable;
import io.sluice.control.domain.CorpusDuplicates;
import io.sluice.control.domain.DomainStanding;
import io.sluice.control.domain.EndedDomains;
import io.sluice.control.purge.Purges;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice domain show}. */
@Command(name = "show", description = "Show what of a domain is there, prepared, and lacking.")
final class ShowDomain extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Option(
      names = "--duplicates",
      description =
          "Read all of its corpus, and count documents that are there again: of the same id and the same"
              + " text or token ids.")
  private boolean duplicates;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    List<KnownDomain> all = KnownDomain.all(access());
    KnownDomain domain =
        all.stream()
            .filter(known -> known.name().equals(name))
            .findFirst()
            .orElseThrow(
                () -> KnownDomain.unknown(name, all.stream().map(KnownDomain::name).toList()));
    Map<String, Object> report = domain.report();
    List<String> lines = lines(domain);
    if (duplicates) {
      long memory = Runtime.getRuntime().maxMemory() / 4;
      CorpusDuplicates found = CorpusDuplicates.of(access(), name, memory);
      report.put("duplicates", found);
      lines.addAll(lines(found));
    }
    json.write(report);
    print(lines);
    new Purges(access()).note(List.of(name)).ifPresent(this::notice);
  }

  private static List<String> lines(CorpusDuplicates found) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "  %,d of %,d documents are there again%s",
            found.duplicates(),
            found.documents(),
            found.first().isEmpty() ? "" : ", such as " + String.join(", ", found.first())));
    if (found.inRanges() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %,d records of files are there by reference, and were not looked at",
              found.inRanges()));
    }
    return lines.stream().map(Printable::line).toList();
  }

  /** For people. */
  static List<String> lines(KnownDomain domain) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %,d documents, %s",
            domain.name(),
            domain.documents(),
            domain.ended() ? "ended. " + EndedDomains.goOn(domain.name()) : "not ended"));
    domain.datasets().forEach(part -> lines.addAll(lines(part)));
    if (domain.datasets().isEmpty()) {
      lines.add("  no dataset has it: add it to the domains of one, and apply that");
    }
    if (domain.deadLetters() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  dead letters: %,d; 'sluice deadletter list --domain %s' says why",
              domain.deadLetters(),
              domain.name()));
    }
    return lines;
  }

  private static List<String> lines(KnownDomain.Part part) {
    DomainStanding standing = part.standing();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "  dataset %s: %,d documents prepared%s; %,d blocks of %,d tokens in all, %,d held out",
            part.dataset().getName(),
            standing.prepared(),
            standing.isComplete() ? ", to the end" : "",
            standing.blocks(),
            standing.tokens(),
            standing.heldOutBlocks()));
    if (standing.padding() > 0) {
      lines.add(
          String.format(
              Locale.ROOT, "    %,d tokens of the blocks are padding", standing.padding()));
    }
    if (!standing.isComplete()) {
      lines.add("    " + standing.shuffling(part.dataset()));
    }
    return lines;
  }
}
