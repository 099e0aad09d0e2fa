package io.sluice.service.broker;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.service.supervise.JavaProcess;
import io.sluice.service.supervise.LongWait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A single-node Kafka broker in a process of its own, on the loopback interface. It ends when it is
 * stopped or when the process that started it ends. Started again on the same directory, it has
 * everything that was acknowledged before.
 */
public final class EmbeddedBroker implements AutoCloseable {
  /** Address of the loopback interface. */
  public static final String HOST = "127.0.0.1";

  /** Heap of a broker of which nothing else is said, in MiB. */
  public static final int HEAP_MIB = 512;

  private static final String LOG = "broker.log";

  private final Process process;
  private final String address;
  private final Path output;

  private EmbeddedBroker(BrokerProgram program) {
    address = program.bootstrapServers();
    output = program.home().resolve(LOG);
    try {
      process = program.process().builder(List.of()).redirectOutput(output.toFile()).start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the broker in " + program.home(), e);
    }
  }

  /**
   * Starts a broker with a heap of 512 MiB and waits until it answers, for as long as it runs.
   *
   * @param directory holds the log; made when missing
   * @param port of the listener; 0 for any free one
   * @param events told, every ten seconds, what the broker says meanwhile
   * @throws BadInputException if the port is in use or the directory cannot be written
   * @throws UnreachableException if the broker ends, or this thread is interrupted; the message
   *     quotes its log
   */
  public static EmbeddedBroker start(Path directory, int port, Consumer<String> events) {
    EmbeddedBroker broker = new EmbeddedBroker(BrokerProgram.in(directory, port, HEAP_MIB));
    try {
      LongWait wait = new LongWait(events);
      BrokerProbe.requireReady(broker.address, 1, broker::isAlive, broker.output, wait);
      return broker;
    } catch (UnreachableException e) {
      broker.stop();
      throw e;
    }
  }

  /**
   * Starts a broker with a heap of 512 MiB and waits until it answers.
   *
   * @param directory holds the log; made when missing
   * @param port of the listener; 0 for any free one
   * @param timeout how long the broker may take until it answers; one that takes longer is killed
   * @throws BadInputException if the port is in use or the directory cannot be written
   * @throws UnreachableException if the broker ends or does not answer in time; the message quotes
   *     its log
   */
  public static EmbeddedBroker start(Path directory, int port, Duration timeout) {
    return start(BrokerProgram.in(directory, port, HEAP_MIB), timeout);
  }

  /**
   * Starts a broker and waits until it answers.
   *
   * @see #start(Path, int, Duration)
   */
  public static EmbeddedBroker start(BrokerProgram program, Duration timeout) {
    EmbeddedBroker broker = new EmbeddedBroker(program);
    try {
      BrokerProbe.requireReady(broker.address, 1, timeout, broker::isAlive, broker.output);
      return broker;
    } catch (UnreachableException e) {
      broker.kill();
      throw e;
    }
  }

  /** What a Kafka client starts from: {@code host:port}. */
  public String bootstrapServers() {
    return address;
  }

  /** Port of the listener. */
  public int port() {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** True until the process has ended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The process, for whoever looks at what it uses. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Processor time that the process has used; zero where the system does not say. */
  public Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Shuts the broker down in order and waits for its end. Does nothing when it has ended. */
  public void stop() {
    JavaProcess.end(process, BrokerProgram.ORDERLY_STOP);
  }

  /** Ends the process at once, as a crash would, and waits for its end. */
  public void kill() {
    process.destroyForcibly();
    JavaProcess.end(process, BrokerProgram.ORDERLY_STOP);
  }

  /** The same as {@link #stop}. */
  @Override
  public void close() {
    stop();
  }
}
