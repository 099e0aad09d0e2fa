package io.sluice.jobs.refine.read;

import java.util.Collections;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * Where a refinery is in its inputs. In a round they are read one after the other, each up to where
 * it ends in that round: the rounds' ends alone decide in which order all records come.
 *
 * @param records that were read, of all inputs
 * @param rounds of which a record was read
 * @param begun whether the present round is among them
 * @param offsets of the next record of each input
 * @param ends of the present round in each input
 */
public record RefinePosition(
    long records, long rounds, boolean begun, List<Long> offsets, List<Long> ends)
    implements SourceSplit {
  /** Copies the lists, and checks that they are of as many inputs. */
  public RefinePosition {
    offsets = List.copyOf(offsets);
    ends = List.copyOf(ends);
    if (offsets.isEmpty() || offsets.size() != ends.size()) {
      throw new IllegalArgumentException(
          "ends must be of " + offsets.size() + " inputs: found " + ends.size());
    }
  }

  /** The beginning of so many inputs. */
  static RefinePosition start(int inputs) {
    List<Long> zeros = Collections.nCopies(inputs, 0L);
    return new RefinePosition(0, 0, false, zeros, zeros);
  }

  @Override
  public String splitId() {
    return "inputs";
  }

  /** The input that is read next; -1 if the round is over. */
  int input() {
    for (int i = 0; i < offsets.size(); i++) {
      if (offsets.get(i) < ends.get(i)) {
        return i;
      }
    }
    return -1;
  }

  /** The same in a round that ends there. */
  RefinePosition toRound(List<Long> there) {
    return new RefinePosition(records, rounds, false, offsets, there);
  }

  /** The same behind a record of an input. */
  RefinePosition behind(int input, long offset) {
    return new RefinePosition(
        records + 1, begun ? rounds : rounds + 1, true, moved(input, offset + 1), ends);
  }

  /** The same where no record of an input is left before an offset. */
  RefinePosition passed(int input, long offset) {
    return new RefinePosition(records, rounds, begun, moved(input, offset), ends);
  }

  private List<Long> moved(int input, long offset) {
    Long[] all = offsets.toArray(Long[]::new);
    all[input] = offset;
    return List.of(all);
  }
}
