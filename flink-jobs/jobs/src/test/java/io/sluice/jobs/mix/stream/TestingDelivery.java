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

  /** The broker did not take it. */
  public static void lost(StreamRecord record) {
    record.gate().lose();
    delivered(record);
  }
}
