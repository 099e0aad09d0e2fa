package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Documents all of whose tokens count. */
final class TestingDocuments {
  private TestingDocuments() {}

  static void append(BlockPacker packer, String id, byte[] tokens, Consumer<TokenBlock> out) {
    packer.append(id, ByteBuffer.wrap(tokens), TokenizedDocument.ALL, out);
  }
}
