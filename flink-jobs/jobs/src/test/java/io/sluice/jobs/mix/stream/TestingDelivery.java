package io.sluice.jobs.mix.stream;

/** What a sink tells the source of a record, as a test says. */
public final class TestingDelivery {
  private TestingDelivery() {}

  /** The sink has taken it. */
  public static void taken(StreamRecord record) {
    record.gate().taken(record.bytes());
  }

  /** The broker has it. */
  public static void delivered(StreamRecord record) {
    record.gate().left(record.bytes());
  }

  /** The broker has it at an offset. */
  public static void acknowledged(StreamRecord record, long offset) {
    acknowledged(record.gate(), record.partition(), offset);
  }

  /** The broker has a record at an offset. */
  public static void acknowledged(StreamGate gate, int partition, long offset) {
    gate.acknowledged(partition, offset);
  }

  /** The broker did not take it. */
  public static void lost(StreamRecord record) {
    record.gate().lose();
    delivered(record);
  }
}
