package io.sluice.cli.plot;

import java.util.Locale;

/** SVG as text, one element a line; what is not well-formed cannot be written. */
public final class Svg {
  private final StringBuilder text = new StringBuilder();

  /** A document of the given size in pixels, with a white ground. */
  public static Svg ofSize(double width, double height) {
    Svg svg = new Svg();
    svg.text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    svg.begin(width, height);
    return svg.element("rect", "width", number(width), "height", number(height), "fill", "#ffffff");
  }

  /** A part of a page, of the given size in pixels, through which the page's ground is seen. */
  public static Svg inline(double width, double height) {
    Svg svg = new Svg();
    svg.begin(width, height);
    return svg;
  }

  private void begin(double width, double height) {
    String w = number(width);
    String h = number(height);
    text.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h)
        .append("\" viewBox=\"0 0 " + w + " " + h + "\"")
        .append(" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\">\n");
  }

  /** An empty element; attributes are names and values by turns. */
  public Svg element(String name, Object... attributes) {
    open(name, attributes);
    text.append("/>\n");
    return this;
  }

  /** A line of text at a place in pixels; attributes as those of elements. */
  public Svg text(double x, double y, String content, Object... attributes) {
    open("text", "x", x, "y", y);
    attributes(attributes);
    text.append('>').append(escaped(content)).append("</text>\n");
    return this;
  }

  /** A whole document. */
  public String closed() {
    return text + "</svg>\n";
  }

  /** At most two decimals: a hundredth of a pixel. */
  public static String number(double value) {
    String fixed = String.format(Locale.ROOT, "%.2f", value);
    return fixed.endsWith(".00") ? fixed.substring(0, fixed.length() - 3) : fixed;
  }

  private void open(String name, Object... attributes) {
    text.append('<').append(name);
    attributes(attributes);
  }

  private void attributes(Object... attributes) {
    for (int i = 0; i < attributes.length; i += 2) {
      Object value = attributes[i + 1];
      String written = value instanceof Double d ? number(d) : escaped(value.toString());
      text.append(' ').append(attributes[i]).append("=\"").append(written).append('"');
    }
  }

  /**
   * A text as XML and HTML write it, in an element or an attribute. Most control characters cannot
   * be written, and are replaced.
   */
  public static String escaped(String raw) {
    StringBuilder out = new StringBuilder();
    raw.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                default -> out.appendCodePoint(isCharacter(c) ? c : 0xFFFD);
              }
            });
    return out.toString();
  }

  private static boolean isCharacter(int c) {
    boolean control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
    return !control && !(c >= 0xD800 && c <= 0xDFFF) && c != 0xFFFE && c != 0xFFFF;
  }
}
