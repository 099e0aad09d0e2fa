package io.sluice.jobs.mix.stream;

import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Flink's description of {@link StreamRecord}: opaque, immutable, with a serializer of its own. */
public final class StreamRecordTypeInfo extends TypeInformation<StreamRecord> {
  private static final long serialVersionUID = 1L;

  /** Type information of stream records. */
  public static final StreamRecordTypeInfo INSTANCE = new StreamRecordTypeInfo();

  /** Finds the type information when Flink meets the class. */
  public static final class Factory extends TypeInfoFactory<StreamRecord> {
    @Override
    public TypeInformation<StreamRecord> createTypeInfo(
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
  public Class<StreamRecord> getTypeClass() {
    return StreamRecord.class;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public TypeSerializer<StreamRecord> createSerializer(SerializerConfig config) {
    return StreamRecordSerializer.INSTANCE;
  }

  @Override
  public String toString() {
    return "StreamRecord";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StreamRecordTypeInfo;
  }

  @Override
  public int hashCode() {
    return StreamRecordTypeInfo.class.hashCode();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof StreamRecordTypeInfo;
  }
}
