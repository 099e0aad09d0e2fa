"""Global batches from a Sluice run, and feedback back to it."""

from sluice.access import KafkaAccess
from sluice.batch import Batch, Rows, Step, StepInfo
from sluice.blocks import MASKED_DOMAIN, Block
from sluice.directory import find_run, list_runs
from sluice.errors import (
    BatchNoLongerRetained,
    EvalSetError,
    FeedbackLost,
    ForkedProcess,
    InvalidFeedback,
    InvalidState,
    InvalidWorldSize,
    KafkaRefused,
    KafkaUnreachable,
    RankTaken,
    Rewound,
    RunEnded,
    SluiceError,
    StreamCorrupt,
    StreamError,
    StreamGap,
    StreamMissing,
    StreamStalled,
    TokenizerMismatch,
    UnknownRun,
    UnsuitableDataLoader,
    WireFormatError,
)
from sluice.evalsets import eval_sets
from sluice.feedback import FeedbackClient
from sluice.heldout import HeldOut, ProbeBatches
from sluice.loader import Loader
from sluice.losses import DomainSums, train_loss
from sluice.mixture import Mixture
from sluice.progress import ProgressReporter
from sluice.properties import kafka_config
from sluice.runs import RunInfo
from sluice.share import Share
from sluice.state import StreamState
from sluice.totals import DomainTotals

__all__ = [
    "MASKED_DOMAIN",
    "Batch",
    "BatchNoLongerRetained",
    "Block",
    "DomainSums",
    "DomainTotals",
    "EvalSetError",
    "FeedbackClient",
    "FeedbackLost",
    "ForkedProcess",
    "HeldOut",
    "InvalidFeedback",
    "InvalidState",
    "InvalidWorldSize",
    "KafkaAccess",
    "KafkaRefused",
    "KafkaUnreachable",
    "Loader",
    "Mixture",
    "ProbeBatches",
    "ProgressReporter",
    "RankTaken",
    "Rewound",
    "Rows",
    "RunEnded",
    "RunInfo",
    "Share",
    "SluiceError",
    "Step",
    "StepInfo",
    "StreamCorrupt",
    "StreamError",
    "StreamGap",
    "StreamMissing",
    "StreamStalled",
    "StreamState",
    "TokenizerMismatch",
    "UnknownRun",
    "UnsuitableDataLoader",
    "WireFormatError",
    "eval_sets",
    "find_run",
    "kafka_config",
    "list_runs",
    "train_loss",
]
