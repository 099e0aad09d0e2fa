"""Measures how fast a stream becomes batches, against a broker of one's own.

``python -m sluice.bench --bootstrap HOST:PORT`` writes a run under a prefix of its own, reads it
with a bare consumer and with a :class:`~sluice.Loader`, in turn, and removes it again. A bare
consumer takes every record from librdkafka and looks at none of its bytes: no loader is faster.
"""
