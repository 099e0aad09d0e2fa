package io.sluice.lab.docs;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.runs.RunFile;
import io.sluice.lab.docs.MarkdownPage.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The examples of {@code docs/options.md}, read as what they are examples of. */
final class OptionsExamples {
  private static final String REST_OF_A_RUN =
      "\nrun: example\ndataset: small\nbatch: 512 sequences\ninitial-weights: uniform\n";

  private OptionsExamples() {}

  /** Settings of each example of a policy, or of the smoothing, flat; none for no example. */
  static List<Map<String, String>> settings(MarkdownPage page, String name) {
    List<Map<String, String>> all = new ArrayList<>();
    boolean guards = name.equals(OptionsPage.GUARDS);
    for (Block block : page.blocks(name)) {
      for (String example : block.text().split("(?m)^(?=policy:|smoothing:)", -1)) {
        String rest = guards ? REST_OF_A_RUN + "policy: static\n" : REST_OF_A_RUN;
        RunFile run = RunFile.parse(ConfigFile.parse(name, example + rest), dataset -> 2048);
        all.add(guards ? run.smoothing() : run.policySettings());
      }
    }
    return all.isEmpty() ? List.of(Map.of()) : all;
  }

  /** Arguments of each example of a command. */
  static List<String[]> arguments(MarkdownPage page, String command) {
    List<String[]> all = new ArrayList<>();
    for (Block block : page.blocks(command)) {
      for (String line : block.text().replaceAll("\\\\\n +", "").lines().toList()) {
        String call = line.replaceFirst("^(.* \\| )?\\./sluice ", "");
        all.add(call.replaceAll("\\s+#.*", "").replace("'", "").strip().split(" +", 0));
      }
    }
    return all;
  }
}
