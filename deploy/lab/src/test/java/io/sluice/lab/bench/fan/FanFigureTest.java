package io.sluice.lab.bench.fan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.bench.fan.FanOut.StoreReads;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FanFigureTest {
  @Test
  void hasAPanelForBrokersConnectionsRequestsAndTheStore() {
    String svg =
        FanFigure.of(
                List.of(fan("tokens", 8, null), fan("tokens", 64, null)),
                List.of(
                    fan("derived", 8, new StoreReads(1, 2, 1, 1)),
                    fan("derived", 64, new StoreReads(8, 16, 64, 8))))
            .svg();
    assertThat(svg)
        .contains(
            "out of the brokers", "connections", "requests to the brokers", "out of the store")
        .contains("log2 of the GPUs");
  }

  private static FanOut fan(String delivery, int gpus, @Nullable StoreReads store) {
    return new FanOut(delivery, gpus, 1, gpus, gpus, gpus, gpus, gpus, 1, store);
  }
}
