package io.sluice.serve.web;

import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.UnauthorizedResponse;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Who may ask what. A page of somebody else's that a browser has open must not reach this server:
 * it may call it by a name of its own that leads here (DNS rebinding), or send it forms.
 */
final class Guard {
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[[0-9a-fA-F:.]+]");
  private static final Pattern PORT = Pattern.compile(":[0-9]*$");
  private static final String BEARER = "Bearer ";

  private final Set<String> names;
  private final Optional<String> token;

  /**
   * A guard.
   *
   * @param names by which the server may be called, besides localhost and addresses
   * @param token that lets runs be changed; empty if nothing does
   */
  Guard(Set<String> names, Optional<String> token) {
    this.names = names;
    this.token = token;
  }

  /** Whether anything can be changed. */
  boolean letsChange() {
    return token.isPresent();
  }

  /**
   * Refuses a name that is not the server's.
   *
   * @throws BadRequestResponse if it is another's
   */
  void requireOwnName(Context context) {
    String host = String.valueOf(context.header("Host"));
    if (!isOwn(host)) {
      throw new BadRequestResponse(
          "the host must be an address, localhost or a name that --host-name gives: '"
              + shortened(host)
              + "'");
    }
  }

  private boolean isOwn(String host) {
    String name = PORT.matcher(host).replaceFirst("").toLowerCase(Locale.ROOT);
    return name.equals("localhost") || ADDRESS.matcher(name).matches() || names.contains(name);
  }

  /**
   * Refuses who may not change runs.
   *
   * @throws ForbiddenResponse if nobody may, or another site's page asks
   * @throws UnauthorizedResponse without the token
   */
  void requireMayChange(Context context) {
    if (token.isEmpty()) {
      throw new ForbiddenResponse("nothing can be changed here: sluice serve has no --token-file");
    }
    String origin = context.header("Origin");
    if (origin != null && !isSame(origin, String.valueOf(context.header("Host")))) {
      throw new ForbiddenResponse("another site's page asks: '" + shortened(origin) + "'");
    }
    String given = String.valueOf(context.header("Authorization"));
    byte[] wanted = (BEARER + token.get()).getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), wanted)) {
      throw new UnauthorizedResponse("the token must be that of --token-file");
    }
  }

  private static boolean isSame(String origin, String host) {
    try {
      return host.equals(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String shortened(String text) {
    return text.substring(0, Math.min(100, text.length()));
  }
}
