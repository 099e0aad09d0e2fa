package io.sluice.lab.bench.fan;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.sluice.control.error.UnreachableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What a broker on this machine counts, as long as its settings let it tell. */
final class BrokerCounts implements AutoCloseable {
  /** Settings of a broker that tells. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "metrics.jmx.exclude",
          "",
          "metric.reporters",
          "org.apache.kafka.common.metrics.JmxReporter");

  private final JMXConnector connector;
  private final MBeanServerConnection beans;

  private BrokerCounts(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
  }

  /** Asks the broker that is this process. */
  @SuppressWarnings("BanJNDI") // The address is that which this machine's own process has given.
  static BrokerCounts of(ProcessHandle broker) {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(broker.pid()));
      try {
        String address = machine.startLocalManagementAgent();
        return new BrokerCounts(JMXConnectorFactory.connect(new JMXServiceURL(address)));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException | IOException e) {
      throw new UnreachableException("the broker's counts cannot be read: " + e, e);
    }
  }

  /** Bytes of records that were given out of a topic. */
  long bytesOut(String topic) {
    return sum(ofTopic("BytesOutPerSec", topic), "Count");
  }

  /** Bytes of records that were put into a topic. */
  long bytesIn(String topic) {
    return sum(ofTopic("BytesInPerSec", topic), "Count");
  }

  private static String ofTopic(String what, String topic) {
    return "kafka.server:type=BrokerTopicMetrics,name=" + what + ",topic=" + topic;
  }

  /** Clients' connections that are open. */
  long connections() {
    return sum(
        "kafka.server:type=socket-server-metrics,listener=PLAINTEXT,networkProcessor=*",
        "connection-count");
  }

  /** Requests that were answered. */
  long requests() {
    String all = "kafka.network:type=RequestMetrics,name=RequestsPerSec,";
    // What consumers fetch is counted once more under a name of its own.
    return sum(all + "*", "Count") - sum(all + "request=FetchConsumer,*", "Count");
  }

  private long sum(String pattern, String attribute) {
    try {
      double sum = 0;
      for (ObjectName name : beans.queryNames(new ObjectName(pattern), null)) {
        sum += ((Number) beans.getAttribute(name, attribute)).doubleValue();
      }
      return Math.round(sum);
    } catch (JMException e) {
      throw new IllegalStateException("the broker has no " + attribute + " of " + pattern, e);
    } catch (IOException e) {
      throw new UncheckedIOException("the broker does not say " + pattern, e);
    }
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
