package io.sluice.client.block;

import java.util.ArrayList;
import java.util.List;

/**
 * Where documents lie in rows that pack them: what attention needs to keep them apart. Lengths
 * count inputs, of which a row has one fewer than tokens.
 *
 * @param sequenceLengths inputs of each document part, over all rows; parts without inputs are left
 *     out
 * @param cumulativeLengths 0 and the sums of those: where each part starts and ends
 * @param positions [rows][inputs]: place of each input in its document part
 */
@SuppressWarnings("ArrayRecordComponent") // Made for one step and read once.
public record PackedDocuments(int[] sequenceLengths, int[] cumulativeLengths, int[][] positions) {

  public static PackedDocuments of(List<Sequence> rows) {
    return of(rows.stream().map(Sequence::documentLengths).toArray(int[][]::new));
  }

  /**
   * From the document lengths of each row.
   *
   * @param documentLengths [rows][parts]: tokens of each part; they sum to the tokens of a row
   */
  public static PackedDocuments of(int[][] documentLengths) {
    List<Integer> lengths = new ArrayList<>();
    int[][] positions = new int[documentLengths.length][];
    for (int row = 0; row < documentLengths.length; row++) {
      positions[row] = new int[inputs(documentLengths[row])];
      int from = 0;
      for (int tokens : documentLengths[row]) {
        int inputs = Math.min(tokens, positions[row].length - from);
        for (int i = 0; i < inputs; i++) {
          positions[row][from + i] = i;
        }
        from += inputs;
        if (inputs > 0) {
          lengths.add(inputs);
        }
      }
    }
    int[] cumulative = new int[lengths.size() + 1];
    for (int i = 0; i < lengths.size(); i++) {
      cumulative[i + 1] = cumulative[i] + lengths.get(i);
    }
    return new PackedDocuments(
        lengths.stream().mapToInt(Integer::intValue).toArray(), cumulative, positions);
  }

  private static int inputs(int[] documentLengths) {
    int tokens = 0;
    for (int length : documentLengths) {
      tokens += length;
    }
    return Math.max(0, tokens - 1);
  }
}
