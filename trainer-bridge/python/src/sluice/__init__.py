"""Global batches from a Sluice run, and feedback back to it."""

from sluice.block.block import MASKED_DOMAIN, Block
from sluice.dataset.tokenizer import DatasetTokenizer, tokenizer
from sluice.drawing.plot import RunPlot, plot
from sluice.errors import (
    BatchNoLongerRetained,
    EvalSetError,
    ExportFailed,
    FeedbackLost,
    ForkedProcess,
    InvalidFeedback,
    InvalidState,
    InvalidWeights,
    InvalidWorldSize,
    KafkaRefused,
    KafkaUnreachable,
    PolicyFailed,
    RankTaken,
    Rewound,
    RunEnded,
    SequenceLengthMismatch,
    ServiceUnavailable,
    SluiceError,
    StreamCorrupt,
    StreamError,
    StreamGap,
    StreamMissing,
    StreamStalled,
    TokenizerMismatch,
    TokenizerUnavailable,
    UnknownRun,
    UnsuitableDataLoader,
    WireFormatError,
)
from sluice.evaluation.held_out import HeldOut, ProbeBatches
from sluice.evaluation.sets import eval_sets
from sluice.feedback.losses import DomainSums, train_loss
from sluice.feedback.progress import ProgressReporter
from sluice.feedback.reporter import FeedbackReporter
from sluice.feedback.steps import Due, StepReporter
from sluice.feedback.totals import DomainTotals
from sluice.kafka.access import KafkaAccess
from sluice.kafka.properties import kafka_config
from sluice.run.directory import find_run, list_runs
from sluice.run.info import RunInfo
from sluice.run.metric import RequiredMetric
from sluice.run.mixture import Mixture
from sluice.run.rank import TrainerRank
from sluice.run.state import StreamState
from sluice.service.up import Service, up
from sluice.steering.policy import RunPolicy, policy
from sluice.steering.round import Round
from sluice.stream.batch import Batch, Step
from sluice.stream.loader import Loader
from sluice.stream.rows import Rows
from sluice.stream.step_info import DataAge, StepInfo

__all__ = [
    "MASKED_DOMAIN",
    "Batch",
    "BatchNoLongerRetained",
    "Block",
    "DataAge",
    "DatasetTokenizer",
    "DomainSums",
    "DomainTotals",
    "Due",
    "EvalSetError",
    "ExportFailed",
    "FeedbackLost",
    "FeedbackReporter",
    "ForkedProcess",
    "HeldOut",
    "InvalidFeedback",
    "InvalidState",
    "InvalidWeights",
    "InvalidWorldSize",
    "KafkaAccess",
    "KafkaRefused",
    "KafkaUnreachable",
    "Loader",
    "Mixture",
    "PolicyFailed",
    "ProbeBatches",
    "ProgressReporter",
    "RankTaken",
    "RequiredMetric",
    "Rewound",
    "Round",
    "Rows",
    "RunEnded",
    "RunInfo",
    "RunPlot",
    "RunPolicy",
    "SequenceLengthMismatch",
    "Service",
    "ServiceUnavailable",
    "SluiceError",
    "Step",
    "StepInfo",
    "StepReporter",
    "StreamCorrupt",
    "StreamError",
    "StreamGap",
    "StreamMissing",
    "StreamStalled",
    "StreamState",
    "TokenizerMismatch",
    "TokenizerUnavailable",
    "TrainerRank",
    "UnknownRun",
    "UnsuitableDataLoader",
    "WireFormatError",
    "__version__",
    "eval_sets",
    "find_run",
    "kafka_config",
    "list_runs",
    "plot",
    "policy",
    "tokenizer",
    "train_loss",
    "up",
]

__version__ = "0.1.0.dev0"
