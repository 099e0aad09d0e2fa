"""The service on this machine, started from Python."""
