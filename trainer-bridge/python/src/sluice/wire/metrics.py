"""Names of the metrics that this package measures; a policy of another jar may need others."""

EVAL_LOSS = "eval_loss"
PERPLEXITY = "perplexity"
TRAIN_LOSS = "train_loss"
ALIGNMENT = "alignment"
GRADIENT_NORM = "gradient_norm"
LEARNING_RATE = "learning_rate"
EXCESS_LOSS = "excess_loss"

ALIGNMENTS = (ALIGNMENT, GRADIENT_NORM)  # one measurement gives both
