package io.sluice.control.reach;

import io.sluice.control.reach.Contact.Versions;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Kafka's first request, which every broker answers, whatever its version and before anybody has
 * said who they are: which versions of which requests it takes.
 */
final class VersionsRequest {
  /** Kafka's number of the request. */
  static final short KEY = 18;

  private static final short OLDEST = 0;
  private static final int CORRELATION = 1;
  private static final byte[] CLIENT = "sluice-reach".getBytes(StandardCharsets.UTF_8);
  private static final int HEADER_BYTES = 10;
  private static final int ROW_BYTES = 6;

  /** An answer has correlation, error and number of rows, and some hundred rows at most. */
  private static final int ANSWER_LEAST = 10;

  private static final int ANSWER_MOST = ANSWER_LEAST + ROW_BYTES * 10_000;

  private VersionsRequest() {}

  /** Sends it. */
  static void send(OutputStream out) throws IOException {
    DataOutputStream request = new DataOutputStream(out);
    request.writeInt(HEADER_BYTES + CLIENT.length);
    request.writeShort(KEY);
    request.writeShort(OLDEST);
    request.writeInt(CORRELATION);
    request.writeShort(CLIENT.length);
    request.write(CLIENT);
    request.flush();
  }

  /**
   * Reads the answer.
   *
   * @throws ProtocolException if it is not one of a broker
   * @throws java.io.EOFException if the connection is closed before it has come
   */
  static Map<Short, Versions> read(InputStream in) throws IOException {
    DataInputStream answer = new DataInputStream(in);
    int size = answer.readInt();
    if (size < ANSWER_LEAST || size > ANSWER_MOST || answer.readInt() != CORRELATION) {
      throw new ProtocolException("its answer is not Kafka's");
    }
    int error = answer.readShort();
    int rows = answer.readInt();
    if (error != 0 || rows < 0 || rows > (size - ANSWER_LEAST) / ROW_BYTES) {
      throw new ProtocolException("its answer is not Kafka's: error " + error);
    }
    Map<Short, Versions> versions = new HashMap<>();
    for (int row = 0; row < rows; row++) {
      versions.put(answer.readShort(), new Versions(answer.readShort(), answer.readShort()));
    }
    return versions;
  }
}
