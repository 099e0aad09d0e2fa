package io.sluice.cli.contract;

/** A client in either language; its errors are failures. */
interface TestingClient extends AutoCloseable {
  /** Opens the stream of the run that was started last under a name. */
  TestingLoader open(String run, TestingLoader.Opening opening);

  @Override
  void close();
}
