"""Global batches from a Sluice run, and feedback back to it."""

from sluice.access import KafkaAccess
from sluice.assembler import StreamState
from sluice.blocks import MASKED_DOMAIN, Block
from sluice.directory import find_run, list_runs
from sluice.errors import (
    BatchNoLongerRetained,
    EvalSetError,
    FeedbackLost,
    InvalidFeedback,
    KafkaUnreachable,
    Rewound,
    RunEnded,
    SluiceError,
    StreamCorrupt,
    StreamError,
    StreamGap,
    StreamMissing,
    StreamStalled,
    UnknownRun,
    WireFormatError,
)
from sluice.evalsets import eval_sets
from sluice.feedback import FeedbackClient
from sluice.loader import Batch, Loader
from sluice.runs import RunInfo

__all__ = [
    "MASKED_DOMAIN",
    "Batch",
    "BatchNoLongerRetained",
    "Block",
    "EvalSetError",
    "FeedbackClient",
    "FeedbackLost",
    "InvalidFeedback",
    "KafkaAccess",
    "KafkaUnreachable",
    "Loader",
    "Rewound",
    "RunEnded",
    "RunInfo",
    "SluiceError",
    "StreamCorrupt",
    "StreamError",
    "StreamGap",
    "StreamMissing",
    "StreamStalled",
    "StreamState",
    "UnknownRun",
    "WireFormatError",
    "eval_sets",
    "find_run",
    "list_runs",
]
