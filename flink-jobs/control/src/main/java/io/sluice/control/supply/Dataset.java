package io.sluice.control.supply;

/** A dataset, with what says that its blocks are those that are meant. */
record Dataset(String name, long fingerprint) {
  /** Where what is known of a lane's part of a domain is kept. */
  String key(LanePart part) {
    return name + "/" + Long.toHexString(fingerprint) + "/" + part.domain() + "/" + part.lane();
  }
}
