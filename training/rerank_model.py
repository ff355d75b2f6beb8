"""The cross-encoder: a sentence encoder's first layers over question and card together, read out in three ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import torch
from tokenizers import Regex, Tokenizer, normalizers
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

MOST_TOKENS = 112
"""Of question and card: nine cards in ten are shorter once their labels are gone."""
LABELS = Regex(
    r"\[interface\] |(?m:^)(?:path|signature|doc|calls|raises|handles): |   (?:package|language): \S+|<lines>|<module>"
)
CASE_BORDERS = Regex(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
MARKS = Regex(r"[^\w\s]+|_+")
"""What a card is made of besides words: labels, glued words, punctuation. The tokenizer drops it, so any card can be given."""
COSINE_SCALE = 10.0
"""First weight of the cosines: differences between cards are a few hundredths."""


class Judge(nn.Module):
    """Scores pairs: [CLS], the cosine of both sides' means, and how well each word of the question is met in the card."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        self.encoder = encoder
        size = encoder.config.hidden_size
        self.head = nn.Sequential(nn.Linear(size, size), nn.Tanh(), nn.Linear(size, 1))
        self.importance = nn.Linear(size, 1)
        self.scales = nn.Parameter(torch.tensor([COSINE_SCALE, COSINE_SCALE]))
        nn.init.zeros_(cast(nn.Linear, self.head[2]).weight)
        nn.init.zeros_(self.importance.weight)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Return one score a pair, shape (pairs, 1)."""
        states = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state.float()
        real = attention_mask.float()
        card = real * token_type_ids.float()
        asked = real - card
        asked = torch.cat((torch.zeros_like(asked[:, :1]), asked[:, 1:]), dim=1)  # without [CLS]
        overall = functional.cosine_similarity(_mean(states, asked), _mean(states, card), dim=1)
        unit = functional.normalize(states, dim=2)
        similar = unit @ unit.transpose(1, 2) + (card[:, None, :] - 1) * 2
        share = torch.softmax(self.importance(states)[:, :, 0] + (asked - 1) * 1e4, dim=1)
        met = (similar.max(dim=2).values * share).sum(dim=1)
        score = self.head(states[:, 0])[:, 0] + self.scales[0] * overall + self.scales[1] * met
        return cast(Tensor, score[:, None])


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    return (states * mask[:, :, None]).sum(dim=1) / mask.sum(dim=1, keepdim=True).clamp(min=1)


def new_judge(encoder: Path, layers: int) -> Judge:
    """Start from the first layers of a sentence encoder; its word vectors stay as they are."""
    model = BertModel.from_pretrained(str(encoder), num_hidden_layers=layers, add_pooling_layer=False)
    model.embeddings.requires_grad_(False)
    return Judge(model)


def make_tokenizer(encoder: Path) -> Tokenizer:
    """Return the encoder's tokenizer, taught to read cards: labels go, identifiers fall into words."""
    tokenizer = Tokenizer.from_file(str(encoder / "tokenizer.json"))
    parts = [
        normalizers.Replace(LABELS, " "), normalizers.Replace(CASE_BORDERS, " "), normalizers.Replace(MARKS, " "),
        tokenizer.normalizer,
    ]  # fmt: skip
    tokenizer.normalizer = normalizers.Sequence(parts)
    tokenizer.enable_truncation(MOST_TOKENS)
    tokenizer.enable_padding()
    return tokenizer


def encode(tokenizer: Tokenizer, pairs: list[tuple[str, str]]) -> dict[str, Tensor]:
    """Return the model's inputs for pairs of question and card text."""
    found = tokenizer.encode_batch(pairs)
    return {
        "input_ids": torch.tensor([one.ids for one in found]),
        "attention_mask": torch.tensor([one.attention_mask for one in found]),
        "token_type_ids": torch.tensor([one.type_ids for one in found]),
    }


def save_judge(model: Judge, folder: Path, about: dict[str, Any]) -> None:
    """Write weights and what made them."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), folder / "judge.pt")
    (folder / "about.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")


def load_judge(encoder: Path, folder: Path) -> Judge:
    """Read what `save_judge` wrote."""
    about = json.loads((folder / "about.json").read_text("utf-8"))
    model = new_judge(encoder, about["layers"])
    model.load_state_dict(torch.load(folder / "judge.pt", weights_only=True))
    model.eval()
    return model
