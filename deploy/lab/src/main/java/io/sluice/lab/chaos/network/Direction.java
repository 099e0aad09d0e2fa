package io.sluice.lab.chaos.network;

/** Which way bytes go over a connection. */
enum Direction {
  /** From the one that opened it. */
  REQUESTS,

  /** To the one that opened it. */
  ANSWERS
}
