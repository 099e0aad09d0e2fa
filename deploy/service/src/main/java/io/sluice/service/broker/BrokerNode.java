package io.sluice.service.broker;

import java.nio.file.Path;

/**
 * One broker of a cluster, which is also one of its controllers.
 *
 * @param id from 1
 * @param log directory of its log
 * @param port that it listens on
 * @param told port that clients and other brokers are told; another one if something stands between
 * @param controllerPort that the other controllers reach it on
 */
record BrokerNode(int id, Path log, int port, int told, int controllerPort) {
  /** Where clients reach it: {@code host:port}. */
  String address() {
    return EmbeddedBroker.HOST + ":" + told;
  }

  String voter() {
    return id + "@" + EmbeddedBroker.HOST + ":" + controllerPort;
  }
}
