"""Trains tokenizer files, and says which ids Python's ``tokenizers`` gives nasty texts.

``train.py CORPUS FOLDER VOCABULARY TEXTS LONG`` writes for each kind of file ``KIND.json``, and
``KIND.ids.jsonl`` beside it: a text is ``unit`` ``times`` over; of its ids the first, the number,
and the SHA-256 (32 bits each, little-endian) are there. CORPUS is a folder of Markdown.
"""

import hashlib
import json
import random
import re
import struct
import sys
from pathlib import Path

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)

LLAMA_3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
CONTROL = re.compile(r"<\||</?(s|unk|pad)>|<0x|\[(PAD|UNK|CLS|SEP|MASK)\]")
"""Names of control tokens, which Python's Unigram finds in a text and Sluice never does."""


def byte_level(pattern, normalizer=None):
    made = Tokenizer(models.BPE(ignore_merges=True))
    if normalizer:
        made.normalizer = normalizer
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return made, trainers.BpeTrainer, {"initial_alphabet": alphabet}, ["<|end_of_text|>"]


def gpt(prefix):
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return made, trainers.BpeTrainer, {"initial_alphabet": alphabet}, ["<|endoftext|>"]


def metaspace(scheme, split):
    made = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=split)
    return made, trainers.BpeTrainer, {}, ["<unk>", "<s>", "</s>", *BYTES]


def prepended():
    made, trainer, settings, specials = metaspace("never", True)
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    return made, trainer, settings, specials


def unigram(*steps):
    made = Tokenizer(models.Unigram())
    made.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    made.pre_tokenizer = pre_tokenizers.Sequence(list(steps))
    return made, trainers.UnigramTrainer, {"unk_token": "<unk>"}, ["<pad>", "</s>", "<unk>"]


def word_piece():
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    return made, trainers.WordPieceTrainer, {"continuing_subword_prefix": "##"}, specials


KINDS = {
    "byte-level": lambda: byte_level(LLAMA_3),
    "byte-level-nfc": lambda: byte_level(O200K, normalizers.NFC()),
    "byte-level-spaces": lambda: gpt(False),
    "byte-level-prefix": lambda: gpt(True),
    "metaspace": lambda: metaspace("always", True),
    "metaspace-first": lambda: metaspace("first", False),
    "prepend": prepended,
    "unigram": lambda: unigram(pre_tokenizers.Metaspace(prepend_scheme="always")),
    "unigram-words": lambda: unigram(
        pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")
    ),
    "word-piece": word_piece,
}


def trained(kind, corpus, vocabulary):
    made, trainer, settings, specials = KINDS[kind]()
    train = trainer(
        vocab_size=vocabulary, special_tokens=specials, show_progress=False, **settings
    )
    made.train_from_iterator(corpus, train)
    if kind == "byte-level-spaces":
        made.add_tokens([AddedToken(" " * n, normalized=True) for n in range(24, 1, -1)])
    written = json.loads(made.to_str())
    if kind == "prepend":
        written["pre_tokenizer"] = None  # what was trained is joined by no space, as Llama 2's
    bytes_ = set(BYTES)
    written["added_tokens"] = [a for a in written["added_tokens"] if a["content"] not in bytes_]
    return json.dumps(written, ensure_ascii=False)


def nasty(rng, words, length):
    """A text of about so many characters that have made tokenizers stumble."""
    ranges = [
        (0x20, 0x7F), (0xA0, 0x17F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF),
        (0x5D0, 0x5EA), (0x620, 0x64A), (0x900, 0x97F), (0xE00, 0xE3A), (0x1100, 0x11FF),
        (0x2000, 0x206F), (0x2580, 0x2588), (0x3040, 0x30FF), (0x4E00, 0x4FFF), (0xAC00, 0xACFF),
        (0xFE00, 0xFE0F), (0xFF00, 0xFFEF), (0x1F300, 0x1F64F), (0x1F1E6, 0x1F1FF), (0x10000, 0x1007F),
    ]  # fmt: skip
    odd = [
        "\0", "\x07", "\x7f", "\x85", "\xa0", "\u00ad", "\u200b", "\u200d", "\u2028", "\ufeff",
        "\ufffd", "\ufffe", "\r\n", "\r", "\n\n", "\t", "  ", "   ", " " * 17, "▁", "Ġ", " ▁ ", "##a",
        "'s", "'LL", "don't", "123456789", "0.5e-7", "\U000e0001", "\U0010ffff", "İ", "ß", "ﬁ", "Å",
        "e\u0301", "한글", "👩\u200d👩\u200d👧", "🇩🇪", "ΑΣ ", "...", "</x>", "{\n\t\treturn;\n}", "a" * 150,
    ]  # fmt: skip
    parts = []
    size = 0
    while size < length:
        kind = rng.random()
        if kind < 0.6:
            part = rng.choice(words) + rng.choice([" ", " ", " ", " ", "\n", ", ", "  "])
        elif kind < 0.8:
            low, high = rng.choice(ranges)
            part = "".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 6)))
        elif kind < 0.97:
            part = rng.choice(odd)
        else:
            part = "".join(rng.choice("абвгд αβγ שלום क ख") for _ in range(12))
        parts.append(part)
        size += len(part)
    return "".join(parts)


def expected(made, unit, times):
    ids = made.encode(unit * times, add_special_tokens=False).ids
    digest = hashlib.sha256(struct.pack(f"<{len(ids)}i", *ids)).hexdigest()
    return {
        "unit": unit, "times": times, "first": ids[:16], "count": len(ids), "sha256": digest,
    }  # fmt: skip


def main(corpus, folder, vocabulary, texts, length):
    files = sorted(Path(corpus).rglob("*.md"))
    prose = [file.read_text(encoding="utf-8") for file in files]
    words = {word for text in prose for word in text.split() if len(word) < 20}
    words = sorted(word for word in words if not CONTROL.search(word))
    lines = [line + "\n" for text in prose for line in text.split("\n")]
    for kind in KINDS:
        json_text = trained(kind, lines, int(vocabulary))
        Path(folder, f"{kind}.json").write_text(json_text, encoding="utf-8")
        made = Tokenizer.from_str(json_text)
        made.encode_special_tokens = True  # names of control tokens are text
        rng = random.Random(7)
        answers = [expected(made, nasty(rng, words, 1 + rng.paretovariate(1)), 1) for _ in range(int(texts))]
        unit = nasty(rng, words, 997)
        answers.append(expected(made, unit, int(length) // len(unit)))
        answers.append(expected(made, " ".join(words[:97]) + " ", int(length) // 1000))
        if int(texts) > 1000:
            answers.append(expected(made, nasty(rng, words, int(length)), 1))
            han = "".join(chr(rng.randint(0x4E00, 0x4FFF)) for _ in range(1000))
            answers.append(expected(made, han, int(length) // 1000))
        with Path(folder, f"{kind}.ids.jsonl").open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(answer) + "\n" for answer in answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
