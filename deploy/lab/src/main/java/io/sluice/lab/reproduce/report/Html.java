package io.sluice.lab.reproduce.report;

import io.sluice.cli.plot.Svg;

/** HTML as text, an element a line; a text that is given to it cannot become markup. */
final class Html {
  private final StringBuilder out = new StringBuilder();

  /** Markup of our own. */
  Html markup(String markup) {
    out.append(markup).append('\n');
    return this;
  }

  /** An element that holds a text; attributes may stand behind its name. */
  Html element(String opening, String text) {
    String name = opening.split(" ", 2)[0];
    out.append('<').append(opening).append('>').append(Svg.escaped(text));
    out.append("</").append(name).append(">\n");
    return this;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
