"""Objects of segments that a daemon keeps on this node, for all who read there."""
