package io.sluice.cli.storage.delete;

import io.sluice.cli.storage.ByteText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What was deleted.
 *
 * @param kind run, dataset, domain or refinery
 * @param bytes that its topics had, all copies; empty if they are not known
 * @param why they are not
 * @param left what stays of it, or because of whom, a sentence each
 */
record Deleted(String kind, String name, OptionalLong bytes, String why, List<String> left) {
  Deleted {
    left = List.copyOf(left);
  }

  /** For people. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(kind + " " + name + " is deleted: " + freed());
    lines.addAll(left);
    return lines;
  }

  private String freed() {
    return bytes.isPresent()
        ? ByteText.of(bytes.getAsLong()) + " freed"
        : "how much that frees is not known: " + why;
  }

  /** For programs. */
  Map<String, Object> view() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put(kind, name);
    bytes.ifPresent(freed -> view.put("bytes", freed));
    view.put("left", left);
    return view;
  }
}
