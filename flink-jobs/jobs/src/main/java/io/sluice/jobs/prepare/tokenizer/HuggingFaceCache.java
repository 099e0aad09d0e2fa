package io.sluice.jobs.prepare.tokenizer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files that Hugging Face's own tools have fetched to this machine, as their cache lays them out:
 * {@code models--ORG--NAME/snapshots/COMMIT/tokenizer.json}, and {@code refs/BRANCH} with the
 * commit of a branch or tag. Nothing is fetched here.
 *
 * @param directory the cache
 */
record HuggingFaceCache(Path directory) {
  private static final Pattern REFERENCE =
      Pattern.compile("((?:[A-Za-z0-9_][\\w.-]*/)?[A-Za-z0-9_][\\w.-]*)@([A-Za-z0-9_][\\w./-]*)");
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
  private static final String FILE = "tokenizer.json";

  /**
   * The cache that a process uses, by the rules of the library {@code huggingface_hub}.
   *
   * @param environment its variables
   * @param home its user's folder
   */
  static HuggingFaceCache of(Map<String, String> environment, Path home) {
    String cache = environment.getOrDefault("HF_HUB_CACHE", "");
    if (!cache.isEmpty()) {
      return new HuggingFaceCache(Path.of(cache));
    }
    String own = environment.getOrDefault("HF_HOME", "");
    if (!own.isEmpty()) {
      return new HuggingFaceCache(Path.of(own, "hub"));
    }
    String shared = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path caches = shared.isEmpty() ? home.resolve(".cache") : Path.of(shared);
    return new HuggingFaceCache(caches.resolve("huggingface").resolve("hub"));
  }

  /**
   * The tokenizer.json of a model.
   *
   * @param reference {@code ORG/NAME@REVISION}: a commit, or a branch or tag as it was fetched
   * @throws IllegalArgumentException if it is not there, with the command that fetches it
   */
  Path tokenizer(String reference) {
    Matcher parts = REFERENCE.matcher(reference);
    if (!parts.matches() || reference.contains("..")) {
      throw new IllegalArgumentException(
          "tokenizer must be hf:ORG/NAME@REVISION: found 'hf:" + reference + "'");
    }
    Path model = directory.resolve("models--" + parts.group(1).replace("/", "--"));
    Path file = model.resolve("snapshots").resolve(commit(model, parts.group(2))).resolve(FILE);
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          String.format(
              "tokenizer 'hf:%s' must be in this machine's cache, for nothing is fetched: found no"
                  + " %s; 'hf download %s %s --revision %s' fetches it",
              reference, file, parts.group(1), FILE, parts.group(2)));
    }
    return file;
  }

  /** The commit that a branch or tag was when it was fetched; else the revision itself. */
  private static String commit(Path model, String revision) {
    try {
      Path ref = model.resolve("refs").resolve(revision);
      String commit = Files.isRegularFile(ref) ? Files.readString(ref).strip() : "";
      return COMMIT.matcher(commit).matches() ? commit : revision;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the branch '" + revision + "' in " + model + " cannot be read: " + e, e);
    }
  }
}
