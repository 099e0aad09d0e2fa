"""Writes r_and_b.json, grape.json and pike.json: what numpy makes of the papers' rules."""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def softmax(z):
    e = np.exp(z - z.max())
    return e / e.sum()


def gram(rng, k, dim):
    g = rng.normal(size=(k, dim)) / np.sqrt(dim) + rng.normal(size=dim) / np.sqrt(dim)
    return g @ g.T


def r_and_b(rng, name, k, lam, beta, p, rounds):
    p = np.asarray(p) / np.sum(p)
    mean, steps = None, []
    for t in range(1, rounds + 1):
        G = gram(rng, k, 24)
        mean = G if mean is None else (1 - beta) * mean + beta * G
        v = mean @ p
        w = softmax(lam * v / np.linalg.norm(v))
        steps.append({"step": t, "gram": G.ravel().tolist(), "expected_weights": w.tolist()})
    return {"name": name, "params": {"lambda": lam, "beta": beta}, "evaluation": p.tolist(),
            "initial_weights": np.full(k, 1 / k).tolist(), "steps": steps}


def grape(rng, name, k, targets, eta, target_eta, w, rounds):
    n = len(targets)
    w, z, steps = np.asarray(w), np.full(n, 1 / n), []
    for t in range(1, rounds + 1):
        loss = rng.uniform(1, 4, size=k)
        product = rng.normal(0.05, 0.3, size=(n, k))
        f = product / loss[targets][:, None]
        a, b = f @ w, z @ f
        z = z * np.exp(-target_eta * a)
        z /= z.sum()
        w = w * np.exp(eta * b)
        w /= w.sum()
        steps.append({"step": t, "eval_loss": loss.tolist(), "product": product.ravel().tolist(),
                      "expected_target_weights": z.tolist(), "expected_weights": w.tolist()})
    return {"name": name, "params": {"eta": eta, "target-eta": target_eta}, "targets": targets,
            "initial_weights": w0(k).tolist(), "steps": steps}


def pike(rng, name, k, zeta_1, zeta_2, batch, w, rounds):
    w, steps = np.asarray(w), []
    for t in range(1, rounds + 1):
        square = rng.uniform(-0.05, 2, size=k)
        variance = rng.uniform(0, 40, size=k)
        w = w * np.exp(zeta_1 * np.maximum(square, 0) - zeta_2 / (2 * batch) * variance)
        w /= w.sum()
        steps.append({"step": t, "square": square.tolist(), "variance": variance.tolist(),
                      "expected_weights": w.tolist()})
    return {"name": name, "params": {"zeta-1": zeta_1, "zeta-2": zeta_2}, "batch": batch,
            "initial_weights": w0(k).tolist(), "steps": steps}


def w0(k):
    raw = 1 + np.arange(k) % 7
    return raw / raw.sum()


def write(file, algorithm, source, cases):
    text = {"algorithm": algorithm, "source": source, "cases": cases}
    (HERE / file).write_text(json.dumps(text, indent=1) + "\n")


def main():
    rng = np.random.default_rng(2025)
    write("r_and_b.json", "R&B: w <- softmax(lambda * Gp / |Gp|)",
          "arXiv 2505.00358v1, algorithm 1 lines 13-14, section 3.4", [
              r_and_b(rng, "paper", 5, 3.0, 1.0, [1] * 5, 6),
              r_and_b(rng, "shares_of_evaluation", 4, 8.0, 1.0, [5, 3, 1, 0], 6),
              r_and_b(rng, "average", 4, 3.0, 0.25, [1, 2, 3, 4], 12)])
    write("grape.json", "GRAPE: z <- z exp(-te a)/Z, w <- w exp(e b)/Z, both of the round before",
          "arXiv 2505.20380v1, equations 3-4, algorithm 1, appendix D.1", [
              grape(rng, "paper", 6, [1, 4, 5], 1.5, 10.0, w0(6), 12),
              grape(rng, "every_domain", 4, [0, 1, 2, 3], 0.5, 2.0, w0(4), 12),
              grape(rng, "one_target", 5, [2], 1.5, 10.0, w0(5), 6)])
    write("pike.json", "PiKE: w <- w exp(zeta1 |grad|^2 - zeta2 / (2 b) variance) / Z",
          "arXiv 2502.06244v2, algorithm 1 lines 5-7", [
              pike(rng, "one_sequence", 5, 0.1, 0.01, 1, w0(5), 12),
              pike(rng, "batches", 4, 0.5, 2.0, 64, w0(4), 12)])


if __name__ == "__main__":
    main()
