"""Runs as the control log tells of them: the one place that knows its rules."""
