"""Makes the tiny models of the tests, and what they must say, computed by their own runtimes.

    pip install numpy onnx onnxruntime torch tokenizers
    python make_models.py ../resources/models

Weights are drawn from a seed and rounded to float16's numbers. The word-level tokenizer has 16
tokens: [PAD], [UNK], [CLS], [SEP] and twelve words. Its template is [CLS] text [SEP].
"""

import json
import math
import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

WORDS = "the a court judge law code loop int model river water sea".split()
TEXTS = ["the judge of the court", "int loop code", "", "a river , a sea", "law " * 40]
VOCABULARY = 4 + len(WORDS)
LABELS = 3
DIMENSION = 4
MOST = 16  # tokens of a text, as the tests import the models
WINDOWS = 3

random = np.random.default_rng(7)


def weights(*shape):
    return random.normal(size=shape).astype(np.float16).astype(np.float32)


def tokenizer(template):
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + WORDS
    piece = lambda name: {"SpecialToken": {"id": name, "type_id": 0}}
    special = lambda name: {"id": name, "ids": [tokens.index(name)], "tokens": [name]}
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": None,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]",
        },
        "added_tokens": [
            {"id": tokens.index(name), "content": name, "single_word": False, "lstrip": False,
             "rstrip": False, "normalized": False, "special": True}
            for name in tokens[:4]
        ],
        "normalizer": None,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [piece("[CLS]"), {"Sequence": {"id": "A", "type_id": 0}}, piece("[SEP]")],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {name: special(name) for name in ("[CLS]", "[SEP]")},
        } if template else None,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {token: i for i, token in enumerate(tokens)},
            "unk_token": "[UNK]",
        },
    }


def ids(folder, text, most):
    """Token ids; with a template, what is cut keeps its last token."""
    file = "tokenizer.json" if most else "plain.json"
    made = Tokenizer.from_file(str(folder / file))
    made.no_padding()
    made.no_truncation()
    if most:
        made.enable_truncation(most)
    return made.encode(text).ids


def onnx_model(path, nodes, inputs, output, shape, constants, kind=TensorProto.INT64):
    length = ["batch", "tokens"]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, kind, length) for name in inputs],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def run(path, feeds):
    return onnxruntime.InferenceSession(str(path)).run(None, feeds)[0]


def feeds(path, tokens):
    every = {
        "input_ids": tokens,
        "attention_mask": [1] * len(tokens),
        "token_type_ids": [0] * len(tokens),
        "position_ids": list(range(len(tokens))),
    }
    names = [each.name for each in onnxruntime.InferenceSession(str(path)).get_inputs()]
    return {name: np.array([every[name]], dtype=np.int64) for name in names}


class Classifier(torch.nn.Module):
    """Mean of the tokens' vectors, and a linear layer."""

    def __init__(self, embedding, linear):
        super().__init__()
        self.embedding = torch.nn.Parameter(torch.tensor(embedding), requires_grad=False)
        self.linear = torch.nn.Parameter(torch.tensor(linear), requires_grad=False)

    def forward(self, input_ids, attention_mask):
        vectors = self.embedding[input_ids] * attention_mask.unsqueeze(-1).to(torch.float32)
        return vectors.mean(1).matmul(self.linear)


class Drawn(torch.nn.Module):
    """What drop-out makes of tokens in a network that was saved as it was trained."""

    def forward(self, input_ids, attention_mask):
        return torch.rand(1, 3)


def logs(logits):
    shifted = logits.astype(np.float64) - logits.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def perplexity(folder, path, text):
    tokens = ids(folder, text, 0)[: WINDOWS * (MOST - 1) + 1]
    total = 0.0
    for start in range(0, len(tokens) - 1, MOST - 1):
        window = tokens[start : start + MOST]
        told = logs(run(path, feeds(path, window))[0])
        total += sum(told[i - 1][window[i]] for i in range(1, len(window)))
    return math.exp(-total / (len(tokens) - 1)) if len(tokens) > 1 else None


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, template in (("tokenizer.json", True), ("plain.json", False)):
        (folder / name).write_text(json.dumps(tokenizer(template), indent=1) + "\n")
    embedding, linear = weights(VOCABULARY, DIMENSION), weights(DIMENSION, LABELS)
    position, bigrams = weights(MOST, DIMENSION), 2 * weights(VOCABULARY, VOCABULARY)
    gather = helper.make_node("Gather", ["embedding", "input_ids"], ["vectors"])
    # The mask and the types count, so that a wrong one is noticed.
    marked = [
        gather,
        helper.make_node("Add", ["attention_mask", "token_type_ids"], ["sum"]),
        helper.make_node("Cast", ["sum"], ["weight"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["weight", "last"], ["weights"]),
        helper.make_node("Mul", ["vectors", "weights"], ["weighted"]),
    ]
    placed = [
        gather,
        helper.make_node("Gather", ["position", "position_ids"], ["places"]),
        helper.make_node("Add", ["vectors", "places"], ["hidden"]),
    ]
    mean = helper.make_node("ReduceMean", ["weighted"], ["mean"], axes=[1], keepdims=0)
    last = {"last": np.array([2], dtype=np.int64)}
    three = ["input_ids", "attention_mask", "token_type_ids"]
    classify = marked + [mean, helper.make_node("MatMul", ["mean", "linear"], ["logits"])]
    table = {"embedding": embedding, "linear": linear, **last}
    labels = ["batch", LABELS]
    onnx_model(folder / "classifier.onnx", classify, three, "logits", labels, table)
    onnx_model(
        folder / "embedder.onnx", placed, ["input_ids", "position_ids"], "hidden",
        ["batch", "tokens", DIMENSION], {"embedding": embedding, "position": position},
    )
    follow = [helper.make_node("Gather", ["bigrams", "input_ids"], ["logits"])]
    onnx_model(
        folder / "language.onnx", follow, ["input_ids"], "logits",
        ["batch", "tokens", VOCABULARY], {"bigrams": bigrams},
    )
    # Not a number for the word 'sea' alone.
    holed = embedding.copy()
    holed[4 + WORDS.index("sea")] = np.nan
    onnx_model(folder / "holed.onnx", classify, three, "logits", labels, {**table, "embedding": holed})
    hole = bigrams.copy()
    hole[4 + WORDS.index("river")] = np.nan
    onnx_model(
        folder / "holed-language.onnx", follow, ["input_ids"], "logits",
        ["batch", "tokens", VOCABULARY], {"bigrams": hole},
    )
    onnx_model(
        folder / "nan.onnx", classify, three, "logits", labels, {**table, "linear": linear * np.nan}
    )
    other = [helper.make_node("Gather", ["embedding", "pixels"], ["out"])]
    onnx_model(
        folder / "pixels.onnx", other, ["pixels"], "out",
        ["batch", "tokens", DIMENSION], {"embedding": embedding},
    )
    # As many numbers as no machine has memory for, for the word 'sea' alone.
    sizes = np.ones(VOCABULARY, dtype=np.int64)
    sizes[4 + WORDS.index("sea")] = 1 << 44
    greedy = [
        helper.make_node("Gather", ["sizes", "input_ids"], ["asked"]),
        helper.make_node("ReduceMax", ["asked"], ["most"], axes=[1], keepdims=0),
        helper.make_node("ConstantOfShape", ["most"], ["zeros"]),
        helper.make_node("ReduceSum", ["zeros"], ["zero"], keepdims=0),
        helper.make_node("Add", ["zero", "constant"], ["logits"]),
    ]
    onnx_model(
        folder / "greedy.onnx", greedy, ["input_ids"], "logits", labels,
        {"sizes": sizes, "constant": np.ones((1, LABELS), dtype=np.float32)},
    )
    onnx.save_model(
        onnx.load(folder / "classifier.onnx"), folder / "elsewhere.onnx",
        save_as_external_data=True, location="elsewhere.bin", size_threshold=0,
    )
    (folder / "elsewhere.bin").unlink()
    module = torch.jit.script(Classifier(embedding, linear).eval())
    torch.jit.save(module, folder / "classifier.pt")
    torch.jit.save(torch.jit.script(Drawn().eval()), folder / "drawn.pt")

    expected = []
    for text in TEXTS:
        tokens = ids(folder, text, MOST)
        path = folder / "classifier.onnx"
        logits = run(path, feeds(path, tokens))[0]
        script = module(torch.tensor([tokens]), torch.ones(1, len(tokens), dtype=torch.long))[0]
        path = folder / "embedder.onnx"
        hidden = run(path, feeds(path, tokens))[0].astype(np.float64)
        vector = hidden.mean(0)
        expected.append({
            "text": text,
            "tokens": tokens,
            "probabilities": np.exp(logs(logits)).tolist(),
            "torchscript": np.exp(logs(script.numpy())).tolist(),
            "mean": (vector / np.linalg.norm(vector)).tolist(),
            "cls": hidden[0].tolist(),
            "perplexity": perplexity(folder, folder / "language.onnx", text),
        })
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
