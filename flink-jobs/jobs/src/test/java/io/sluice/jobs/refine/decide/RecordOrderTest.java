package io.sluice.jobs.refine.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.refine.read.InputRecord;
import io.sluice.refine.decide.Examined;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class RecordOrderTest {
  @Test
  void recordsLeaveInTheOrderOfTheirNumbersHoweverTheyCome() {
    List<Long> numbers = new ArrayList<>(LongStream.range(7, 107).boxed().toList());
    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(numbers, new Random(seed));
      RecordOrder order = new RecordOrder(7);
      List<Long> left = new ArrayList<>();
      numbers.forEach(
          number -> order.add(record(number), each -> left.add(each.record().number())));
      order.requireWhole();
      assertThat(left).isEqualTo(LongStream.range(7, 107).boxed().toList());
    }
  }

  @Test
  void whatIsMissingOrComesTwiceIsSaid() {
    RecordOrder order = new RecordOrder(0);
    order.add(record(1), each -> {});

    assertThatThrownBy(order::requireWhole)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("record 0 is missing, before 1 others");
    assertThatThrownBy(() -> order.add(record(1), each -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("record 1 came twice; next is 0");
  }

  private static ExaminedRecord record(long number) {
    return new ExaminedRecord(
        new InputRecord(number, 0, number, 0, new byte[0], 0, List.of()), new Examined.Purged());
  }
}
