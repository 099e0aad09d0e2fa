"""Writes aioli.json: what numpy makes of Aioli's two algorithms, in rounds of feedback."""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
TOKENS = 1 << 20


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def shuffled(k, *key):
    """A permutation by SplitMix64 whose seed is made of the key's words."""
    state = 0
    for word in key:
        state = mix((state * GOLDEN + word + GOLDEN) & MASK)
    order = list(range(k))
    for i in range(k - 1, 0, -1):
        state = (state + GOLDEN) & MASK
        j = ((mix(state) >> 32) * (i + 1)) >> 32
        order[i], order[j] = order[j], order[i]
    return order


def case(rng, name, k, sweeps, eps, eta, rest, gamma, restart, lag, low, cycles, seed):
    """The run's mixtures: what is asked for after each report, and the reports themselves."""
    first = (1 + np.arange(k) % 7) / np.sum(1 + np.arange(k) % 7)
    w, average = first, None
    reports, now = [], first
    loss = rng.uniform(2, 4, size=k)
    asked_before = first

    def train(asked, law):
        nonlocal loss, asked_before
        shares = lag * asked_before + (1 - lag) * asked
        asked_before = asked
        counts = np.round(shares * TOKENS).astype(int)
        before, loss = loss, loss - law @ (counts / counts.sum()) + rng.normal(0, 1e-4, size=k)
        report = {"step": len(reports) + 1, "eval_loss": loss.tolist(), "tokens": counts.tolist()}
        reports.append(report)
        return counts / counts.sum(), before - loss

    for cycle in range(1, cycles + 1):
        law = rng.uniform(low, 0.02, size=(k, k)) + 0.02 * np.eye(k)
        for _ in range(1 if cycle == 1 else rest):
            train(now, law)
            reports[-1]["expected_weights"] = w.tolist()
        P, drops = np.zeros((k, k)), np.zeros((k, k))
        for sweep in range(sweeps):
            for j in shuffled(k, seed, cycle, sweep):
                now = np.full(k, eps / k)
                now[j] += 1 - eps
                reports[-1]["expected_weights"] = now.tolist()
                shares, drop = train(now, law)
                P[j] += shares / sweeps
                drops[:, j] += drop / sweeps
        A = np.stack([np.linalg.solve(P, drops[i]) for i in range(k)])
        A = A - min(0, A.min())
        A = A / A.sum()
        average = A if average is None else (1 - gamma) * A + gamma * average
        w = (first if restart else w) * np.exp(eta * average.sum(axis=0))
        w = w / w.sum()
        now = w
        reports[-1]["expected_weights"] = w.tolist()
        reports[-1]["expected_pulls"] = average.sum(axis=0).tolist()
    return {"name": name, "initial_weights": first.tolist(), "steps": reports,
            "params": {"sweeps": sweeps, "one-hot-smoothing": eps, "eta": eta, "gamma": gamma,
                       "train-rounds": rest, "step-from": "initial" if restart else "last",
                       "seed": seed}}


def main():
    rng = np.random.default_rng(2411)
    cases = [
        case(rng, "paper", 3, 4, 0.75, 0.2, 2, 0.0, False, 0, 0.0, 3, 0),
        case(rng, "published_code_with_average", 4, 2, 0.5, 1.0, 1, 0.5, True, 0, 0.0, 4, 7),
        case(rng, "losses_that_rise", 3, 1, 0.3, 2.0, 3, 0.1, False, 0, -0.02, 3, 1),
        case(rng, "a_fifth_of_each_round_late", 5, 2, 0.6, 0.5, 1, 0.0, False, 0.2, 0.0, 2, 12345)]
    text = {"algorithm": "Aioli: P A_i = I_i, A <- (A - min(0, min A)) / sum A, w_j <- w_j exp(eta sum_i A_ij) / Z",
            "source": "arXiv 2411.05735v2, algorithms 1-2; github.com/HazyResearch/aioli, trainer/aioli_trainer.py",
            "cases": cases}
    (HERE / "aioli.json").write_text(json.dumps(text, indent=1) + "\n")


if __name__ == "__main__":
    main()
