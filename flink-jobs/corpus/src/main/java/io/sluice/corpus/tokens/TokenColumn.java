package io.sluice.corpus.tokens;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.parquet.Columns;
import io.sluice.corpus.parquet.ParquetRows;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** Lists of whole numbers in a column of Parquet, and the id of each row where there is one. */
record TokenColumn(TokenLayout layout) implements ParquetRows.Selection<TokenRow> {
  /** What libraries of transformers call it. */
  static final String USUAL = "input_ids";

  @Override
  public MessageType columns(MessageType all) throws RefusedException {
    String name = layout.field(USUAL);
    if (!all.containsField(name)) {
      throw new RefusedException("'" + name + "' must be a column of token ids: found nothing");
    }
    Type tokens = all.getType(name);
    if (!isList(tokens) || !isNumber(element(tokens))) {
      throw new RefusedException(
          "'"
              + name
              + "' must be a column of token ids: found "
              + tokens.toString().replaceAll("\\s+", " "));
    }
    List<Type> columns = new ArrayList<>(List.of(tokens));
    if (all.containsField(layout.idField()) && !layout.idField().equals(name)) {
      columns.add(Columns.id(all, layout.idField()));
    }
    return new MessageType(all.getName(), columns);
  }

  @Override
  public RecordMaterializer<TokenRow> rows(MessageType columns) {
    Type list = columns.getType(0);
    boolean wide =
        element(list).asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT64;
    return new TokenAssembler(wide ? TokenType.INT64 : TokenType.UINT32, list, layout);
  }

  /** A group of one repeated field: numbers, or groups of one number each. */
  private static boolean isList(Type type) {
    if (type.isPrimitive() || type.isRepetition(Type.Repetition.REPEATED)) {
      return false;
    }
    GroupType list = type.asGroupType();
    if (list.getFieldCount() != 1 || !list.getType(0).isRepetition(Type.Repetition.REPEATED)) {
      return false;
    }
    Type repeated = list.getType(0);
    return repeated.isPrimitive()
        || (repeated.asGroupType().getFieldCount() == 1
            && !repeated.asGroupType().getType(0).isRepetition(Type.Repetition.REPEATED));
  }

  private static Type element(Type list) {
    Type repeated = list.asGroupType().getType(0);
    return repeated.isPrimitive() ? repeated : repeated.asGroupType().getType(0);
  }

  private static boolean isNumber(Type type) {
    if (!type.isPrimitive()) {
      return false;
    }
    PrimitiveType number = type.asPrimitiveType();
    return (number.getPrimitiveTypeName() == PrimitiveTypeName.INT32
            || number.getPrimitiveTypeName() == PrimitiveTypeName.INT64)
        && (number.getLogicalTypeAnnotation() == null
            || number.getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation);
  }
}
