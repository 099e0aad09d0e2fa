package io.sluice.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class FigureTest {
  private static final double[] X = {0, 50, 100};

  private static Document parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  private static List<String> texts(Document document) {
    NodeList nodes = document.getElementsByTagName("text");
    return IntStream.range(0, nodes.getLength())
        .mapToObj(i -> nodes.item(i).getTextContent())
        .toList();
  }

  private static Panel panel(String title, Mark... marks) {
    return new Panel(title, "batch", "nats", false, List.of(marks));
  }

  @Test
  void isWellFormedWhateverIsWrittenInIt() throws Exception {
    String odd = "a<b>&\"c\"\u0001 'd'";
    Figure figure = new Figure(odd, List.of(odd), 1, List.of(panel(odd)));
    assertThat(texts(parse(figure.svg()))).contains("a<b>&\"c\"\uFFFD 'd'");
  }

  @Test
  void namesTitleAxesAndLegend() throws Exception {
    Panel panel = panel("losses", new Mark.Line(X, new double[] {2.1, 1.9, 1.8}, 0, false));
    Document document = parse(new Figure("title", List.of("web", "code"), 1, List.of(panel)).svg());
    assertThat(texts(document))
        .contains("title", "web", "code", "losses", "batch", "nats", "0", "100", "1.80", "2.10");
    assertThat(document.getDocumentElement().getAttribute("viewBox")).startsWith("0 0 404 ");
  }

  @Test
  void isSeenThroughAsAPartOfAPage() throws Exception {
    Figure figure = new Figure("title", List.of("web"), 1, List.of(panel("losses")));
    assertThat(figure.inline()).startsWith("<svg ").doesNotContain("#ffffff");
    assertThat(texts(parse(figure.inline()))).isEqualTo(texts(parse(figure.svg())));
  }

  @Test
  void drawsEveryMarkWithinItsPanel() throws Exception {
    Figure figure =
        new Figure(
            "marks",
            List.of(),
            1,
            List.of(
                panel(
                    "all",
                    new Mark.Area(X, new double[] {1, 1, 1}, new double[] {2, 3, 2}, 1, true),
                    new Mark.Line(X, new double[] {1, Double.NaN, 4}, 2, true),
                    new Mark.Points(X, new double[] {1, 2, Double.NaN}, 3),
                    new Mark.Estimate(100, 2, 1.5, 2.5, 4))));
    Document document = parse(figure.svg());
    assertThat(document.getElementsByTagName("polygon").getLength()).isEqualTo(1);
    assertThat(document.getElementsByTagName("circle").getLength()).isEqualTo(3);
    NodeList paths = document.getElementsByTagName("path");
    assertThat(paths.getLength()).isEqualTo(1);
    assertThat(paths.item(0).getAttributes().getNamedItem("d").getNodeValue())
        .isEqualTo("M64,236 M378,72");
    assertThat(figure.svg()).doesNotContain("NaN").doesNotContain("Infinity");
  }

  @Test
  void hasRoomForPanelsInRowsAndForALongLegend() throws Exception {
    List<String> names = new ArrayList<>();
    IntStream.range(0, 15).forEach(i -> names.add("a-domain-with-a-long-name-" + i));
    Figure figure = new Figure("t", names, 2, List.of(panel("a"), panel("b"), panel("c")));
    Document document = parse(figure.svg());
    assertThat(document.getDocumentElement().getAttribute("width")).isEqualTo("784");
    assertThat(texts(document)).contains("a", "b", "c", "a-domain-with-a-lon…");
    assertThat(figure.svg()).contains("#999999");
  }

  @Test
  void saysWhichFileCannotBeWritten(@TempDir Path directory) throws Exception {
    Figure figure = new Figure("t", List.of(), 1, List.of());
    Path file = directory.resolve("f.svg");
    figure.write(file);
    assertThat(parse(Files.readString(file)).getDocumentElement().getTagName()).isEqualTo("svg");
    assertThatThrownBy(() -> figure.write(directory.resolve("none/f.svg")))
        .hasMessageContaining("--svg must be a file that can be written");
  }

  @Test
  void ticksAreRoundNumbersWithEnoughDecimals() {
    Axis axis = Axis.covering(1.9012, 1.9173);
    assertThat(axis.ticks().stream().map(axis::label).toList())
        .containsExactly("1.900", "1.905", "1.910", "1.915", "1.920");
    Axis tokens = Axis.exact(0, 6e9);
    assertThat(tokens.ticks().stream().map(tokens::label).toList())
        .containsExactly("0", "1G", "2G", "3G", "4G", "5G", "6G");
    assertThat(Axis.covering(2, 2).at(2)).isBetween(.2, .8);
  }
}
