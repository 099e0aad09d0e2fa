package io.sluice.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

final class StreamDigestTest {
  private static final byte[] BLOCK = WireCodec.encode(block(5, 0));

  @Test
  void theSameBlocksMadeAtAnotherTimeHaveTheSameDigest() {
    assertThat(digest(WireCodec.encode(block(5, 1_000)))).isEqualTo(digest(BLOCK));
  }

  @Test
  void otherTokensHaveAnotherDigest() {
    assertThat(digest(WireCodec.encode(block(6, 0)))).isNotEqualTo(digest(BLOCK));
  }

  @Test
  void whatIsNoBlockIsDigestedAsItIs() {
    byte[] one = "no block".getBytes(StandardCharsets.UTF_8);
    byte[] other = "another".getBytes(StandardCharsets.UTF_8);
    assertThat(digest(one)).isEqualTo(digest(one)).isNotEqualTo(digest(other));
  }

  private static TokenBlock block(int token, long producedAtMillis) {
    return TokenBlock.newBuilder()
        .setFingerprint(7)
        .setDomain("wiki")
        .setOrdinal(3)
        .setTokenWidth(2)
        .setTokens(ByteBuffer.wrap(new byte[] {(byte) token, 0, 2, 0}))
        .setDocumentLengths(List.of(2))
        .setDocumentIds(List.of("a"))
        .setTrainedTokens(1)
        .setProducedAtMillis(producedAtMillis)
        .build();
  }

  private static String digest(byte[] value) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(StreamHeader.KEY, new StreamHeader(0, 1, 0, 1, 0, 1, 3, 9).encode());
    StreamDigest digest = new StreamDigest(1);
    digest.add(
        new ConsumerRecord<>(
            "stream.x",
            0,
            0,
            1,
            TimestampType.CREATE_TIME,
            0,
            value.length,
            new byte[0],
            value,
            headers,
            Optional.empty()),
        9);
    return digest.hex();
  }
}
