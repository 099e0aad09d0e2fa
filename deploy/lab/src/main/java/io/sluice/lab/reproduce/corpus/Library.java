package io.sluice.lab.reproduce.corpus;

import java.util.List;

/** Where the text of domains comes from. */
public interface Library {
  /** What it is called in a report, and in the name of a directory. */
  String name();

  /** Names of the domains; experiments take the first ones that they need. */
  List<String> domains();

  /**
   * The sections of a domain, in an order that is always the same.
   *
   * @throws io.sluice.control.error.CommandException if its text cannot be had
   */
  List<Section> sections(String domain);
}
