package io.sluice.cli.plan;

import io.sluice.control.config.Quantity;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of tokens, as files have it, such as {@code 4M} or {@code "2T tokens"}. */
final class TokenCount implements ITypeConverter<Long> {
  /** Beyond any corpus; products with bytes of a token and copies fit into a long. */
  private static final long MOST = 1L << 50;

  @Override
  public Long convert(String text) {
    return Quantity.parse(text)
        .filter(count -> count.unit().isEmpty() || count.unit().equals("tokens"))
        .map(Quantity::value)
        .filter(count -> count >= 1 && count <= MOST)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "must be a number of tokens from 1 to "
                        + MOST
                        + ", such as 4M: '"
                        + text
                        + "'"));
  }
}
