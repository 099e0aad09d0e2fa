package io.sluice.cli.options;

import io.sluice.control.error.BadInputException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the environment says, and the contexts of whose it is, which are read once. */
final class Environment {
  private static final String CONTEXT = "SLUICE_CONTEXT";

  private final Map<String, String> variables;
  private final ContextFile file;
  private @Nullable Contexts contexts;

  Environment(Map<String, String> variables) {
    this.variables = Map.copyOf(variables);
    this.file = ContextFile.of(variables);
  }

  /** A variable that says something. */
  Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
  }

  /** Where contexts are kept. */
  ContextFile contextFile() {
    return file;
  }

  /**
   * The context of that name.
   *
   * @param by what names it, for the message
   * @throws BadInputException if there is none
   */
  Context context(String by, String name) {
    return contexts().require(by, name);
  }

  /**
   * The context that holds where nobody names brokers or a context.
   *
   * @throws BadInputException if the variable names one that there is not
   */
  Optional<Context> current() {
    return variable(CONTEXT)
        .map(name -> context("$" + CONTEXT, name))
        .or(() -> contexts().find(contexts().current()));
  }

  private Contexts contexts() {
    Contexts known = contexts;
    if (known == null) {
      known = file.read();
      contexts = known;
    }
    return known;
  }
}
