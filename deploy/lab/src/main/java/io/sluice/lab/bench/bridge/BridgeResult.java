package io.sluice.lab.bench.bridge;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import java.util.List;
import java.util.Locale;

/**
 * How fast a trainer gets its batches.
 *
 * @param tokensPerSecond in batches whose blocks are decoded, median
 * @param bareConsumerTokensPerSecond of a consumer that looks at nothing
 * @param allocatedBytesPerSequence objects made for each sequence, the records themselves included
 * @param bareConsumerBytesPerSequence of the consumer alone
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record BridgeResult(
    double tokensPerSecond,
    double bareConsumerTokensPerSecond,
    double ratio,
    double allocatedBytesPerSequence,
    double bareConsumerBytesPerSequence,
    @JsonIgnore List<Spread> megatokens) {

  static final List<String> HEAD =
      List.of("reader", "M tokens/s", "× bare consumer", "bytes of objects/sequence");

  List<List<String>> rows() {
    return List.of(
        List.of(
            "batches, blocks decoded",
            megatokens.get(0).text(1),
            String.format(Locale.ROOT, "%.2f", ratio),
            String.format(Locale.ROOT, "%.0f", allocatedBytesPerSequence)),
        List.of(
            "bare consumer",
            megatokens.get(1).text(1),
            "1.00",
            String.format(Locale.ROOT, "%.0f", bareConsumerBytesPerSequence)));
  }
}
