package io.sluice.corpus.parquet;

import io.sluice.control.line.DomainField;
import io.sluice.control.line.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Takes the columns of one row after the other. */
final class RowAssembler extends RecordMaterializer<ParquetRow> {
  private final Map<String, ColumnBytes> values = new LinkedHashMap<>();
  private final List<ColumnBytes> columns;
  private final Fields fields;
  private long rows;

  private RowAssembler(MessageType columns, Fields fields) {
    columns.getFields().stream()
        .map(Type::getName)
        .forEach(name -> values.put(name, new ColumnBytes()));
    this.columns = List.copyOf(values.values());
    this.fields = fields;
  }

  /** Of these columns, as {@link Columns} puts them. */
  static RowAssembler of(MessageType columns, Fields fields) {
    return new RowAssembler(columns, fields);
  }

  @Override
  public ParquetRow getCurrentRecord() {
    boolean hasId = !fields.id().equals(fields.text());
    return new ParquetRow(
        rows,
        bytes(fields.text()),
        hasId ? bytes(fields.id()) : null,
        fields.domain().map(DomainField::field).map(this::bytes).orElse(null),
        properties());
  }

  private Map<String, byte[]> properties() {
    if (fields.properties().isEmpty()) {
      return Map.of();
    }
    Map<String, byte[]> found = new LinkedHashMap<>();
    for (String property : fields.properties()) {
      byte[] value = bytes(property);
      if (value != null) {
        found.put(property, value);
      }
    }
    return found;
  }

  private byte @Nullable [] bytes(String column) {
    ColumnBytes value = values.get(column);
    return value == null ? null : value.bytes();
  }

  @Override
  public GroupConverter getRootConverter() {
    return new GroupConverter() {
      @Override
      public Converter getConverter(int column) {
        return columns.get(column);
      }

      @Override
      public void start() {
        columns.forEach(ColumnBytes::clear);
        rows++;
      }

      @Override
      public void end() {}
    };
  }
}
