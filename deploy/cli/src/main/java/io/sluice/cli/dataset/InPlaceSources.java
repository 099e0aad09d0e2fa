package io.sluice.cli.dataset;

import io.sluice.control.error.BadInputException;
import io.sluice.corpus.store.FileStores;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.segment.InPlace;
import java.util.Set;
import java.util.TreeSet;

/** What sources must be whose files are the blocks of a domain. */
final class InPlaceSources {
  private InPlaceSources() {}

  /**
   * Checks a dataset's sources.
   *
   * @param file that describes it
   * @throws BadInputException naming the key, what is allowed and what was found
   */
  static void require(DatasetSpec spec, String file) {
    Set<String> inPlace = InPlace.domains(spec);
    for (DatasetSource source : spec.getSources()) {
      String key = file + ": sources[" + spec.getSources().indexOf(source) + "].";
      boolean named = inPlace.contains(source.getDomain());
      if (source.getInPlace()) {
        require(!source.getDomain().isEmpty(), key, "domain", "a domain's name", "none");
        require(!source.getPath().isEmpty(), key, "path", "given", "none");
        boolean remote = FileStores.isRemote(source.getPath());
        require(!remote, key, "path", "of this machine's files", source.getPath());
        require(!source.getByReference(), key, "by-reference", "false", "true");
        require(
            source.getFormat().equals(SourceOptions.AUTO),
            key,
            "format",
            SourceOptions.AUTO,
            source.getFormat());
      } else if (named || mayBeOf(source, inPlace)) {
        require(
            false,
            key,
            "in-place",
            "true, as for every source of a domain that is in place",
            "false");
      }
    }
    if (!inPlace.isEmpty() && spec.getStore().isEmpty()) {
      throw new BadInputException(
          file + ": store must be given where sources are in-place: found none");
    }
  }

  private static boolean mayBeOf(DatasetSource source, Set<String> inPlace) {
    return source.getDomain().isEmpty()
        && source.getDomainNames().values().stream().anyMatch(inPlace::contains);
  }

  private static void require(boolean is, String key, String name, String allowed, String found) {
    if (!is) {
      throw new BadInputException(
          key + name + " must be " + allowed + " where a source is in-place: found " + found);
    }
  }

  /**
   * Checks that the domains that were in place are, and no other that was there.
   *
   * @throws BadInputException naming the domains
   */
  static void requireSame(DatasetSpec before, DatasetSpec wanted) {
    Set<String> now = new TreeSet<>(InPlace.domains(wanted));
    now.retainAll(before.getDomains());
    if (!now.equals(InPlace.domains(before))) {
      throw new BadInputException(
          "dataset '%s' exists with domains %s in place: found %s; give it another name"
              .formatted(wanted.getName(), new TreeSet<>(InPlace.domains(before)), now));
    }
  }
}
