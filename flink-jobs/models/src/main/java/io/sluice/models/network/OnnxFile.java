package io.sluice.models.network;

import java.nio.charset.StandardCharsets;

/** What is told of a file of ONNX without reading it. */
final class OnnxFile {
  /** Field 1 of a {@code StringStringEntryProto}, the key, and the tag of its value. */
  private static final byte[] LOCATION = "\n\blocation\u0012".getBytes(StandardCharsets.ISO_8859_1);

  private OnnxFile() {}

  /**
   * Whether weights lie in other files, which the hash of a model would not cover: a tensor's
   * {@code external_data} has the key {@code location}.
   */
  static boolean namesOthers(byte[] file) {
    for (int at = 0; at + LOCATION.length <= file.length; at++) {
      int same = 0;
      while (same < LOCATION.length && file[at + same] == LOCATION[same]) {
        same++;
      }
      if (same == LOCATION.length) {
        return true;
      }
    }
    return false;
  }
}
