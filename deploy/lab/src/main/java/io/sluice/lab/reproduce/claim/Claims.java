package io.sluice.lab.reproduce.claim;

import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.TokenizerFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The claims of a file, which is fixed before anything runs.
 *
 * @param sha256 of the file's bytes, in hex
 * @param all in the file's order
 */
public record Claims(String sha256, List<Claim> all) {
  private static final String NAME = "claims.yaml";
  private static final String PATH = "/io/sluice/lab/reproduce/" + NAME;

  /** Copies the list. */
  public Claims {
    all = List.copyOf(all);
  }

  /** The claims of the papers that are built in. */
  public static Claims ofPapers() {
    try (InputStream in = Claims.class.getResourceAsStream(PATH)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + PATH);
      }
      return parse(NAME, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The claims of a file's bytes.
   *
   * @param source the file's name in messages
   * @throws BadInputException naming the key, what is allowed and what was found
   */
  public static Claims parse(String source, byte[] bytes) {
    return new Claims(
        TokenizerFiles.sha256(bytes),
        ClaimsFile.read(source, new String(bytes, StandardCharsets.UTF_8)));
  }

  /** Those of one experiment. */
  public List<Claim> of(String experiment) {
    return all.stream().filter(claim -> claim.experiment().equals(experiment)).toList();
  }

  /** Those whose experiments were begun, in order. */
  List<Claim> begun(Results results) {
    return all.stream()
        .filter(claim -> results.experiments().containsKey(claim.experiment()))
        .toList();
  }
}
