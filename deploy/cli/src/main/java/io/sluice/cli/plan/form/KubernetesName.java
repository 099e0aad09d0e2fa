package io.sluice.cli.plan.form;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.schema.Topics;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Names that Kubernetes takes. One that is none, or too long, loses what is not allowed and gets a
 * hash of all of it, so that two that differ in nothing else stay apart.
 */
public final class KubernetesName {
  /** Of a user: the common name of a certificate has no more characters. */
  static final int USER = 64;

  /** Of a topic. */
  static final int TOPIC = 253;

  /** What Flink's operator allows a deployment. */
  static final int DEPLOYMENT = 45;

  private static final int HASH_BYTES = 4;

  private KubernetesName() {}

  /** The name itself, if it is one of at most so many characters, with dots where these may be. */
  static String of(String name, int most, boolean dots) {
    String part = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
    String form = dots ? part + "(\\." + part + ")*" : part;
    if (name.length() <= most && name.matches(form)) {
      return name;
    }
    String hash = hash(name);
    String legal =
        name.toLowerCase(Locale.ROOT)
            .replaceAll(dots ? "[^a-z0-9.-]" : "[^a-z0-9-]", "-")
            .replaceAll("-*\\.+[.-]*", ".")
            .replaceAll("^[.-]+", "");
    String cut = legal.substring(0, Math.min(legal.length(), most - hash.length() - 1));
    return cut.replaceAll("[.-]+$", "") + "-" + hash;
  }

  /** A name in a deployment, such as {@code sluice-jobs}, which Kubernetes may not take. */
  static String prefixed(Topics topics, String name) {
    String prefix = topics.prefix().replaceAll("[._-]+$", "");
    return prefix.isEmpty() ? name : prefix + "-" + name;
  }

  /** What a user is called, such as {@code sluice-jobs}. */
  public static String user(Topics topics, String role) {
    return of(prefixed(topics, role), USER, false);
  }

  /** What the deployment of a job is called, such as {@code sluice-mix}. */
  public static String deployment(Topics topics, String job) {
    return of(prefixed(topics, job), DEPLOYMENT, false);
  }

  private static String hash(String name) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
