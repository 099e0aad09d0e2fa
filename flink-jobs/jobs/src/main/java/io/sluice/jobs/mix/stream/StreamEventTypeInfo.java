package io.sluice.jobs.mix.stream;

import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Flink's description of {@link StreamEvent}: opaque, immutable, with a serializer of its own. */
public final class StreamEventTypeInfo extends TypeInformation<StreamEvent> {
  private static final long serialVersionUID = 1L;

  /** Type information of stream events. */
  public static final StreamEventTypeInfo INSTANCE = new StreamEventTypeInfo();

  /** Finds the type information when Flink meets the class. */
  public static final class Factory extends TypeInfoFactory<StreamEvent> {
    @Override
    public TypeInformation<StreamEvent> createTypeInfo(
        Type type, Map<String, TypeInformation<?>> parameters) {
      return INSTANCE;
    }
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<StreamEvent> getTypeClass() {
    return StreamEvent.class;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public TypeSerializer<StreamEvent> createSerializer(SerializerConfig config) {
    return StreamEventSerializer.INSTANCE;
  }

  @Override
  public String toString() {
    return "StreamEvent";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StreamEventTypeInfo;
  }

  @Override
  public int hashCode() {
    return StreamEventTypeInfo.class.hashCode();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof StreamEventTypeInfo;
  }
}
