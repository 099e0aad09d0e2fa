package io.sluice.corpus.parquet;

import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** The columns of a file that make its rows documents: the text, and the id where there is one. */
public final class Columns {
  private Columns() {}

  /**
   * The columns of text, id, where there is one, and domain, where it is asked for.
   *
   * @throws RefusedException naming the column, what it must be, and its type
   */
  static MessageType of(MessageType all, Fields fields) throws RefusedException {
    List<Type> columns = new ArrayList<>();
    columns.add(column(all, fields.text(), "a column of texts", List.of(PrimitiveTypeName.BINARY)));
    if (all.containsField(fields.id()) && !fields.id().equals(fields.text())) {
      columns.add(id(all, fields.id()));
    }
    if (fields.domain().isPresent()) {
      columns.add(id(all, fields.domain().get().field()));
    }
    return new MessageType(all.getName(), columns);
  }

  /**
   * A column of ids.
   *
   * @throws RefusedException naming the column, what it must be, and its type
   */
  public static Type id(MessageType all, String name) throws RefusedException {
    return column(
        all,
        name,
        "a column of texts or whole numbers",
        List.of(PrimitiveTypeName.BINARY, PrimitiveTypeName.INT64, PrimitiveTypeName.INT32));
  }

  private static Type column(
      MessageType all, String name, String what, List<PrimitiveTypeName> allowed)
      throws RefusedException {
    if (!all.containsField(name)) {
      throw new RefusedException("'" + name + "' must be " + what + ": found nothing");
    }
    Type type = all.getType(name);
    boolean single = type.isPrimitive() && !type.isRepetition(Type.Repetition.REPEATED);
    if (!single
        || !allowed.contains(type.asPrimitiveType().getPrimitiveTypeName())
        || type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation) {
      throw new RefusedException(
          "'" + name + "' must be " + what + ": found " + type.toString().replaceAll("\\s+", " "));
    }
    return type;
  }
}
