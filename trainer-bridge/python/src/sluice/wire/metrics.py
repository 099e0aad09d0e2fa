"""Names of the metrics that this package measures; a policy of another jar may need others."""

EVAL_LOSS = "eval_loss"
PERPLEXITY = "perplexity"
TRAIN_LOSS = "train_loss"
ALIGNMENT = "alignment"
GRADIENT_NORM = "gradient_norm"
GRADIENT_PRODUCT = "gradient_product"
GRADIENT_MOMENT = "gradient_moment"
LEARNING_RATE = "learning_rate"
EXCESS_LOSS = "excess_loss"
PROPOSED_WEIGHT = "proposed_weight"

SQUARE, VARIANCE = "square", "variance"  # the moments, each paired with a domain
PAIR = "/"  # between the names of a pair, which have none

ALIGNMENTS = (ALIGNMENT, GRADIENT_NORM)  # one measurement gives both
