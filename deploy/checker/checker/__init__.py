"""A checker of Sluice's topics, written from docs/protocol.md alone."""
