package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A document in the shuffle buffer, whose bytes are state: the length of its id, the id, and its
 * tokens. Where not all of them count, that length is negative (its complement), and the number of
 * runs and the runs come before the id.
 *
 * @param tokens between its position and its limit
 * @param counted as in {@link TokenizedDocument}
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, and never compared.
record ShuffledDocument(String id, ByteBuffer tokens, int[] counted) {
  static byte[] write(TokenizedDocument document) {
    byte[] id = document.id().getBytes(StandardCharsets.UTF_8);
    byte[] tokens = document.tokens();
    int[] counted = document.counted();
    int runs = counted.length == 0 ? 0 : Integer.BYTES * (1 + counted.length);
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + runs + id.length + tokens.length);
    bytes.putInt(counted.length == 0 ? id.length : ~id.length);
    if (counted.length > 0) {
      bytes.putInt(counted.length);
      for (int run : counted) {
        bytes.putInt(run);
      }
    }
    return bytes.put(id).put(tokens).array();
  }

  static ShuffledDocument read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int length = in.getInt();
    int[] counted = length < 0 ? new int[in.getInt()] : TokenizedDocument.ALL;
    for (int run = 0; run < counted.length; run++) {
      counted[run] = in.getInt();
    }
    byte[] id = new byte[length < 0 ? ~length : length];
    in.get(id);
    return new ShuffledDocument(new String(id, StandardCharsets.UTF_8), in, counted);
  }
}
