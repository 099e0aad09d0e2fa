"""The arguments that every example takes."""

from __future__ import annotations

import argparse


def parser(about: str | None) -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description=about)
    found.add_argument("run", help="name of the run to train on")
    found.add_argument("--bootstrap", default="localhost:9092")
    found.add_argument("--steps", type=int, default=60)
    return found
