package io.sluice.client.block;

import io.sluice.client.error.UnusableBlockException;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * How the fields of a TokenBlock lie in bytes that were written with one schema: compiled from it
 * once, and followed by every block. Between the fields that are known lies what another version
 * has, which is passed over by its type.
 */
final class BlockLayout {
  /** The fields of TokenBlock.avsc in its order, which no version changes. */
  enum Field {
    FINGERPRINT("fingerprint"),
    DOMAIN("domain"),
    LANE("lane"),
    ORDINAL("ordinal"),
    TOKEN_WIDTH("tokenWidth"),
    TOKENS("tokens"),
    DOCUMENT_LENGTHS("documentLengths"),
    DOCUMENT_IDS("documentIds"),
    TRAINED_TOKENS("trainedTokens"),
    LOSS_MASK("lossMask"),
    CONTENT_TYPE("contentType"),
    PAYLOAD("payload"),
    PRODUCED_AT("producedAtMillis");

    private final String wireName;

    @SuppressWarnings("EnumOrdinal") // Never persisted: an index of the arrays below.
    private final int index = ordinal();

    Field(String wireName) {
      this.wireName = wireName;
    }

    private int bit() {
      return 1 << index;
    }

    String wireName() {
      return wireName;
    }
  }

  private static final int FIELDS = Field.values().length;

  /** Of every schema that blocks are read from, the current one first. */
  static final List<BlockLayout> KNOWN =
      WireCodec.schemas(TokenBlock.class).stream().map(BlockLayout::new).toList();

  private final long fingerprint;

  /** What lies before each field, and after the last. */
  private final Pass[][] gaps = new Pass[FIELDS + 1][];

  /** The bits of the fields that are there, and of those that something lies before. */
  private final int there;

  private final int afterGap;

  /** Passes over a value. */
  private interface Pass {
    void over(BlockCursor in) throws UnusableBlockException;
  }

  /**
   * The layout of a schema.
   *
   * @throws IllegalArgumentException if a field is missing that has no default, or has another type
   *     or place than today
   */
  BlockLayout(Schema written) {
    this.fingerprint = SchemaNormalization.parsingFingerprint64(written);
    int present = 0;
    int gapped = 0;
    int from = 0;
    for (Field field : Field.values()) {
      Schema.Field wanted = TokenBlock.getClassSchema().getField(field.wireName);
      Schema.Field found = written.getField(field.wireName);
      if (found == null
          ? !wanted.hasDefaultValue()
          : found.pos() < from || !sameType(found, wanted)) {
        throw new IllegalArgumentException(
            "a block must have its field '" + field.wireName + "' as today: " + written);
      }
      if (found != null) {
        present |= field.bit();
        gapped |= found.pos() > from ? field.bit() : 0;
        gaps[field.index] = passes(written.getFields().subList(from, found.pos()));
        from = found.pos() + 1;
      }
    }
    gaps[FIELDS] = passes(written.getFields().subList(from, written.getFields().size()));
    this.there = present;
    this.afterGap = gapped;
  }

  private static boolean sameType(Schema.Field one, Schema.Field other) {
    return SchemaNormalization.toParsingForm(one.schema())
        .equals(SchemaNormalization.toParsingForm(other.schema()));
  }

  /** Whether blocks of a schema lie like this. */
  boolean isOf(long schema) {
    return fingerprint == schema;
  }

  /** Goes on to a field that every block has. */
  BlockCursor to(Field field, BlockCursor in) throws UnusableBlockException {
    if ((afterGap & field.bit()) != 0) {
      pass(gaps[field.index], in);
    }
    return in;
  }

  /** Goes on to a field; false, without a move, if blocks were written without it. */
  boolean reach(Field field, BlockCursor in) throws UnusableBlockException {
    to(field, in);
    return (there & field.bit()) != 0;
  }

  /** Goes on to the end of the block. */
  void finish(BlockCursor in) throws UnusableBlockException {
    pass(gaps[FIELDS], in);
  }

  private static void pass(Pass[] values, BlockCursor in) throws UnusableBlockException {
    for (Pass value : values) {
      value.over(in);
    }
  }

  private static Pass[] passes(List<Schema.Field> fields) {
    return fields.stream().map(field -> pass(field.schema())).toArray(Pass[]::new);
  }

  private static Pass pass(Schema type) {
    return switch (type.getType()) {
      case NULL -> in -> {};
      case BOOLEAN -> in -> in.skip(1);
      case INT, LONG, ENUM -> BlockCursor::integer;
      case FLOAT -> in -> in.skip(Float.BYTES);
      case DOUBLE -> in -> in.skip(Double.BYTES);
      case STRING, BYTES -> BlockCursor::skipText;
      case FIXED -> in -> in.skip(type.getFixedSize());
      case ARRAY -> items(pass(type.getElementType()));
      case MAP -> items(entry(pass(type.getValueType())));
      case UNION -> branch(type.getTypes().stream().map(BlockLayout::pass).toList());
      case RECORD -> record(passes(type.getFields()));
    };
  }

  private static Pass items(Pass item) {
    return in -> {
      for (long n = in.items(); n > 0; n = in.items()) {
        for (long i = 0; i < n; i++) {
          item.over(in);
        }
      }
    };
  }

  private static Pass entry(Pass value) {
    return in -> {
      in.skipText();
      value.over(in);
    };
  }

  private static Pass branch(List<Pass> branches) {
    return in -> branches.get(in.branch(branches.size())).over(in);
  }

  private static Pass record(Pass[] fields) {
    return in -> pass(fields, in);
  }
}
