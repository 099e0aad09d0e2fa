"""Writes ucb.json: what numpy makes of DUMP's rule."""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def softmax(z):
    e = np.exp(z - z.max())
    return e / e.sum()


def ucb(rng, name, params, k, every, batch, base, rounds, missing=0.0):
    window, c, tau = params["window"], params["exploration"], params["temperature"]
    declines, floor = params["reward"] == "decline", params.get("floor", 0.0)
    w = (1 + np.arange(k) % 7) / (1 + np.arange(k) % 7).sum()
    initial, n, history, steps = w.tolist(), np.zeros(k), [], []
    last, before = base if declines else base - every, np.full(k, np.nan)
    level = rng.uniform(2, 4, size=k)
    for t in range(0 if declines else 1, rounds + 1):
        step = base + (t if declines else t - 1) * every
        level = level - rng.normal(0.02, 0.03, size=k)
        measured = np.where(rng.random(k) < missing, np.nan,
                            level if declines else rng.uniform(0, 1, size=k))
        n = n + (step - last) * batch * w
        last = step
        history.append(before - measured if declines else measured)
        before = np.where(np.isnan(measured), before, measured)
        seen = np.array(history[-window:])
        known = ~np.isnan(seen)
        mean = np.where(known, seen, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        there = known.any(axis=0)
        if there.any():
            if declines:
                mean = mean / np.abs(mean[there]).max()
            mean = np.where(there, mean, (mean[there] @ w[there]) / w[there].sum())
            score = mean + c * np.sqrt(2 * np.log(n.sum() + 1) / (n + 1))
            w = (1 - floor) * softmax(score / tau) + floor / k
        steps.append({"step": step,
                      "measured": [None if np.isnan(x) else x for x in measured.tolist()],
                      "expected_weights": w.tolist()})
    return {"name": name, "params": params, "every": every, "batch": batch,
            "initial_weights": initial, "steps": steps}


def main():
    rng = np.random.default_rng(2504)
    paper = {"metric": "advantage", "reward": "value", "window": 4, "exploration": 1.0,
             "temperature": 0.1}
    decline = {"metric": "eval_loss", "reward": "decline", "window": 4, "exploration": 1.0,
               "temperature": 0.5}
    cases = [
        ucb(rng, "paper", paper, 5, 1, 64, 1, 12),
        ucb(rng, "declines", decline, 6, 10, 16, 0, 12),
        ucb(rng, "missing", decline | {"window": 2, "floor": 0.05}, 4, 5, 8, 0, 24, 0.4),
        ucb(rng, "from_a_later_step", decline | {"exploration": 20.0}, 3, 20, 32, 100, 8),
    ]
    text = {"algorithm": "DUMP: w <- softmax((L + c sqrt(2 ln(n + 1) / (n_d + 1))) / temperature)",
            "source": "arXiv 2504.09710v2, section 3.3, and the published code", "cases": cases}
    (HERE / "ucb.json").write_text(json.dumps(text, indent=1) + "\n")


if __name__ == "__main__":
    main()
