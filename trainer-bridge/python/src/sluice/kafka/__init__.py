"""Clients of the broker: how to reach it, and a topic read to its end."""
