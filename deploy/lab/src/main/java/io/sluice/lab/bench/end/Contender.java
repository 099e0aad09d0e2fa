package io.sluice.lab.bench.end;

import java.util.List;

/** One of those that take turns. */
interface Contender extends AutoCloseable {
  /** What people call it. */
  String name();

  /** What it takes once, in each way that it can be read. */
  List<Measured> turn(int number);

  @Override
  void close();
}
