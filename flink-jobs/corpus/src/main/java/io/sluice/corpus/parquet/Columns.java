package io.sluice.corpus.parquet;

import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** The columns of a file that make its rows documents. */
public final class Columns {
  private static final List<PrimitiveTypeName> PROPERTIES =
      List.of(
          PrimitiveTypeName.BINARY,
          PrimitiveTypeName.INT64,
          PrimitiveTypeName.INT32,
          PrimitiveTypeName.DOUBLE,
          PrimitiveTypeName.FLOAT,
          PrimitiveTypeName.BOOLEAN);

  private Columns() {}

  /**
   * The columns of text, id, where there is one, domain and properties, where they are asked for:
   * each once, whatever it is for.
   *
   * @throws RefusedException naming the column, what it must be, and its type
   */
  static MessageType of(MessageType all, Fields fields) throws RefusedException {
    Map<String, Type> columns = new LinkedHashMap<>();
    String text = fields.text();
    columns.put(text, column(all, text, "a column of texts", List.of(PrimitiveTypeName.BINARY)));
    if (all.containsField(fields.id()) && !fields.id().equals(text)) {
      columns.put(fields.id(), id(all, fields.id()));
    }
    if (fields.domain().isPresent()) {
      String domain = fields.domain().get().field();
      columns.put(domain, id(all, domain));
    }
    for (String property : fields.properties()) {
      columns.put(
          property, column(all, property, "a column of texts, numbers or truths", PROPERTIES));
    }
    return new MessageType(all.getName(), List.copyOf(columns.values()));
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
