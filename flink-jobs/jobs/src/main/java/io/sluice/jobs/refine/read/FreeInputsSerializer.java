package io.sluice.jobs.refine.read;

import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The inputs that no reader has, if that is so, as versioned bytes: those of their position. */
final class FreeInputsSerializer implements SimpleVersionedSerializer<Optional<RefinePosition>> {
  private static final RefinePositionSerializer POSITIONS = new RefinePositionSerializer();

  @Override
  public int getVersion() {
    return POSITIONS.getVersion();
  }

  @Override
  public byte[] serialize(Optional<RefinePosition> free) throws IOException {
    return free.isPresent() ? POSITIONS.serialize(free.get()) : new byte[0];
  }

  @Override
  public Optional<RefinePosition> deserialize(int version, byte[] serialized) throws IOException {
    return serialized.length == 0
        ? Optional.empty()
        : Optional.of(POSITIONS.deserialize(version, serialized));
  }
}
