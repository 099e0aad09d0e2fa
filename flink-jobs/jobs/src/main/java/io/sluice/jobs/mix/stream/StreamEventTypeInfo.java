package io.sluice.jobs.mix.stream;

import io.sluice.jobs.serial.CompactType;
import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Gives Flink its description of {@link StreamEvent} when it meets the class. */
public final class StreamEventTypeInfo extends TypeInfoFactory<StreamEvent> {
  /** Opaque, immutable, with a serializer of its own. */
  public static final TypeInformation<StreamEvent> INSTANCE =
      new CompactType<>(StreamEvent.class, StreamEventSerializer.INSTANCE);

  @Override
  public TypeInformation<StreamEvent> createTypeInfo(
      Type type, Map<String, TypeInformation<?>> parameters) {
    return INSTANCE;
  }
}
