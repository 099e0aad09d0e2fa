package io.sluice.cli.doctor;

import io.sluice.control.reach.Contact;
import io.sluice.control.reach.Reachability;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.common.Node;

/** Whether the brokers can be reached: at the addresses given here, and at those they give. */
record ReachCheck(Brokers brokers) implements Check {
  private static final String ADVERTISED =
      "advertised.listeners of that broker must have an address that this machine reaches";

  @Override
  public String name() {
    return "brokers";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    List<String> servers = Reachability.servers(brokers.access().bootstrapServers());
    List<Contact> contacts = ask(servers);
    List<Finding> findings = given(contacts);
    if (contacts.stream().allMatch(Contact.Failed.class::isInstance)) {
      return findings;
    }
    List<Node> nodes = List.copyOf(brokers.admin().describeCluster().nodes().get());
    findings.addAll(advertised(nodes, ask(nodes.stream().map(ReachCheck::address).toList())));
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              name(),
              nodes.stream()
                  .map(node -> node.id() + " at " + address(node))
                  .sorted()
                  .collect(Collectors.joining(", "))));
    }
    return findings;
  }

  private List<Contact> ask(List<String> servers) {
    return new Reachability(brokers.access(), Reachability.LIMIT).ask(servers);
  }

  /** What is said of the servers that commands start from. */
  List<Finding> given(List<Contact> contacts) {
    boolean any = contacts.stream().anyMatch(each -> !(each instanceof Contact.Failed));
    List<Finding> findings = new ArrayList<>();
    for (Contact contact : contacts) {
      if (contact instanceof Contact.Failed failed) {
        String said = failed.server() + ": " + failed.reason();
        findings.add(
            any
                ? Finding.warning(name(), said, "start it, or leave it out of --kafka")
                : Finding.failure(
                    name(), said, "start it, let this machine through, or give others by --kafka"));
      }
    }
    return findings;
  }

  /** What is said of the addresses that brokers give to whoever has reached one. */
  List<Finding> advertised(List<Node> nodes, List<Contact> contacts) {
    List<Finding> findings = new ArrayList<>();
    for (Node node : nodes) {
      for (Contact contact : contacts) {
        if (contact instanceof Contact.Failed failed && failed.server().equals(address(node))) {
          findings.add(
              Finding.failure(
                  name(),
                  "broker %d says that it is at %s: %s"
                      .formatted(node.id(), failed.server(), failed.reason()),
                  ADVERTISED));
        }
      }
    }
    return findings;
  }

  private static String address(Node node) {
    String host = node.host();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + node.port();
  }
}
