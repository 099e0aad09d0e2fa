package io.sluice.lab.chaos.network;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntUnaryOperator;

/**
 * Relays before the ports that processes listen on. What one process sends another can be kept from
 * arriving, as a network does that fails in one direction: neither is told, and what was sent
 * arrives when the network is whole again, if the connection still is.
 */
public final class Network implements IntUnaryOperator, AutoCloseable {
  private final List<Relay> relays = new CopyOnWriteArrayList<>();

  /**
   * A failure between two processes, until it is closed.
   *
   * @param from pid of the one whose bytes do not arrive
   * @param to pid of the one that does not get them
   */
  public record Failure(long from, long to, Runnable end) implements AutoCloseable {
    @Override
    public void close() {
      end.run();
    }
  }

  /** Whether this system tells whose connection is whose. */
  public static boolean isKnown() {
    return Sockets.areTold();
  }

  /** Puts a relay before the port, and returns the relay's. */
  @Override
  public int applyAsInt(int port) {
    Relay relay = new Relay(port);
    relays.add(relay);
    return relay.port();
  }

  /**
   * Lets one direction between two of the processes fail that are connected.
   *
   * @return empty if none of them is connected to another
   */
  public Optional<Failure> fail(Collection<Long> pids, Random random) {
    List<Pair> pairs = new ArrayList<>();
    Sockets sockets = Sockets.of(pids);
    for (Relay relay : relays) {
      Optional<Long> server = sockets.owner(relay.target());
      if (server.isPresent()) {
        Set<Long> clients = new HashSet<>();
        relay.links().forEach(link -> sockets.owner(link.clientPort()).ifPresent(clients::add));
        clients.stream().sorted().forEach(c -> pairs.add(new Pair(relay, c, server.get())));
      }
    }
    return pairs.isEmpty()
        ? Optional.empty()
        : Optional.of(fail(pairs.get(random.nextInt(pairs.size())), random.nextBoolean()));
  }

  private record Pair(Relay relay, long client, long server) {}

  private static Failure fail(Pair pair, boolean requests) {
    Held held = new Held(pair.client, requests ? Direction.REQUESTS : Direction.ANSWERS);
    pair.relay.watch(held);
    pair.relay.links().forEach(held::opens);
    Runnable end =
        () -> {
          pair.relay.watch(link -> {});
          held.release();
        };
    return requests
        ? new Failure(pair.client, pair.server, end)
        : new Failure(pair.server, pair.client, end);
  }

  /** Connections of one client of which a direction is held up, until they are released. */
  private static final class Held implements Relay.LinkWatch {
    private final List<Long> client;
    private final Direction direction;
    private final List<Link> links = new ArrayList<>();
    private boolean released;

    Held(long client, Direction direction) {
      this.client = List.of(client);
      this.direction = direction;
    }

    @Override
    public synchronized void opens(Link link) {
      if (!released && Sockets.of(client).owner(link.clientPort()).isPresent()) {
        links.add(link);
        link.hold(direction, true);
      }
    }

    synchronized void release() {
      released = true;
      links.forEach(link -> link.hold(direction, false));
    }
  }

  @Override
  public void close() {
    relays.forEach(Relay::close);
  }
}
