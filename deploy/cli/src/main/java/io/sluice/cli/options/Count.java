package io.sluice.cli.options;

import io.sluice.control.config.Quantity;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A whole number, at least 0, as files have them, too: 512, 4M, 64Ki. */
public final class Count implements ITypeConverter<Long> {
  @Override
  public Long convert(String value) {
    return Quantity.parse(value)
        .filter(quantity -> quantity.value() >= 0 && quantity.unit().isEmpty())
        .map(Quantity::value)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "must be a whole number of at least 0, such as 512, 4M or 64Ki: '"
                        + value
                        + "'"));
  }
}
