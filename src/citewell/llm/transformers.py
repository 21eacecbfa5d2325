"""Local models: causal ones with their chat template, and encoder-decoders, optionally with a LoRA adapter."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from citewell.errors import ContextTooLongError, deadline
from citewell.llm.chat import rendered
from citewell.llm.prompts import inlined
from citewell.models.loading import Kind, Loaded, context_length, import_torch, kind_of, load_adapted
from citewell.models.local import LocalModel
from citewell.protocols import Completion, Request


@dataclass(frozen=True, kw_only=True)
class Transformers(LocalModel):
    """A Hugging Face model. It is loaded when first asked, and kept. Replies cost nothing.

    Attributes:
        model: a hub id or a local path.
        adapter: a LoRA adapter made for the model, a hub id or a local path (`citewell train lora` makes some).
        context: most tokens of prompt and reply; what the model's config says where None. For encoder-decoders with
            relative positions (T5) it may be more than they were trained with.
    """

    adapter: str | None = None
    context: int | None = None
    name: ClassVar[str] = "transformers"
    concurrency: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not self.model:
            raise ValueError("name a model: transformers(model=...)")
        if self.context is not None and self.context < 2:
            raise ValueError("context is at least 2 tokens")

    def complete(self, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:
        """The reply; with `on_text` it is streamed.

        Raises MissingExtraError: torch, transformers or, for an adapter, peft is not installed; BackendError: the model
        cannot be loaded; ContextTooLongError: prompt and reply do not fit.
        """
        torch = import_torch()
        loaded = self._loaded
        tokenizer = loaded.tokenizer
        with loaded.lock, torch.inference_mode():
            started = time.perf_counter()
            prompt = rendered(tokenizer, self._kind, inlined(request))
            inputs = tokenizer(prompt.text, add_special_tokens=prompt.special, return_tensors="pt", verbose=False)
            size = int(inputs["input_ids"].shape[1])
            self._check(size, request.max_tokens)
            heard = _Stream(tokenizer, on_text, request.stop)
            output = self._generate(loaded, inputs, request, heard)[0]
            ids = output[size if self._kind == "causal" else 1 :].tolist()
            ended = bool(ids) and ids[-1] in _ends(loaded, tokenizer)
            stopped, text = _cut(_decoded(tokenizer, ids), request.stop)
            heard.finish(text)
        return Completion(
            text=text,
            model=self.model if self.adapter is None else f"{self.model} + {self.adapter}",
            finish="stop" if ended or stopped or len(ids) < request.max_tokens else "length",
            input_tokens=size,
            output_tokens=len(ids),
            cost=0.0,
            seconds=round(time.perf_counter() - started, 3),
        )

    def count_tokens(self, text: str) -> int:
        """The tokens of a text by the model's own tokenizer, without special ones."""
        loaded = self._loaded
        with loaded.lock:  # fast tokenizers may not be used by two threads at once
            return len(loaded.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    @cached_property
    def _kind(self) -> Kind:
        return "seq2seq" if kind_of(self.model, self.revision) == "seq2seq" else "causal"

    @property
    def _loaded(self) -> Loaded:
        if self.adapter is None:
            return self.load(self._kind)
        return load_adapted(self._kind, self.model, self.adapter, self.revision, self.placement)

    @cached_property
    def _room(self) -> int:
        """Tokens of prompt and reply together, for encoder-decoders of the prompt alone."""
        relative = self._loaded.model.config.model_type in ("t5", "mt5", "umt5", "longt5")
        return self.context if self.context and relative else context_length(self._loaded, self.context)

    def _check(self, size: int, reply: int) -> None:
        wanted = size + (reply if self._kind == "causal" else 0)
        if wanted > self._room:
            parts = (
                f"{size} tokens of prompt and up to {reply} of reply" if self._kind == "causal" else f"{size} tokens"
            )
            raise ContextTooLongError(
                f"{parts} are more than the {self._room} that {self.model!r} takes: reduce the document, or choose a "
                "model with a longer context",
                wanted,
                self._room,
            )

    def _generate(self, loaded: Loaded, inputs: Any, request: Request, heard: _Stream) -> Any:
        torch = import_torch()
        drawn = request.temperature > 0
        settings: dict[str, Any] = {"do_sample": True, "temperature": request.temperature} if drawn else {
            "do_sample": False, "temperature": None, "top_p": None, "top_k": None,
        }  # fmt: skip
        taken = {key: value for key, value in inputs.items() if key in ("input_ids", "attention_mask")}
        # What others draw from the same generator is not disturbed.
        with torch.random.fork_rng(enabled=drawn):
            if drawn and request.seed is not None:
                torch.manual_seed(request.seed)
            return loaded.model.generate(
                **{key: value.to(loaded.device) for key, value in taken.items()},
                **settings,
                num_beams=1,
                max_new_tokens=request.max_tokens,
                max_length=None,
                pad_token_id=loaded.tokenizer.pad_token_id,
                streamer=heard,
                stopping_criteria=[heard.stopped] if request.stop else None,
            )


class _Stream:
    """Takes token ids as they are made; hands on the text that can no longer change."""

    def __init__(self, tokenizer: Any, on_text: Callable[[str], None] | None, stop: Sequence[str]) -> None:
        self.tokenizer, self.on_text, self.stop = tokenizer, on_text, stop
        self.begun, self.ids, self.sent = False, list[int](), ""

    def put(self, ids: Any) -> None:
        """The prompt (of an encoder-decoder: its first token), then token after token."""
        deadline.check()
        if not self.begun:
            self.begun = True
            return
        self.ids.extend(ids.flatten().tolist())
        if self.on_text:
            _, text = _cut(_decoded(self.tokenizer, self.ids), self.stop)
            # The beginning of a stop text may be under way, and so may the bytes of a character.
            longest = max((len(end) - 1 for end in self.stop), default=0)
            self._tell(text[: len(text) - longest].rstrip("\ufffd"))

    def end(self) -> None:
        """Nothing is left to do: what was held back is told by `finish`."""

    def finish(self, text: str) -> None:
        """The whole reply."""
        self._tell(text)

    def stopped(self, _ids: Any, _scores: Any, **_more: Any) -> Any:
        """Whether a stop text has come, as generation asks it after each token."""
        torch = import_torch()
        ended = _cut(_decoded(self.tokenizer, self.ids), self.stop)[0]
        return torch.tensor([ended], device=_ids.device)

    def _tell(self, text: str) -> None:
        if self.on_text and text.startswith(self.sent) and len(text) > len(self.sent):
            self.on_text(text[len(self.sent) :])
            self.sent = text


def _decoded(tokenizer: Any, ids: Sequence[int]) -> str:
    text: str = tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
    return text


def _cut(text: str, stop: Sequence[str]) -> tuple[bool, str]:
    """Whether one of the stop texts came, and the text before the first of them."""
    places = [place for place in (text.find(end) for end in stop) if place >= 0]
    return bool(places), text[: min(places)] if places else text


def _ends(loaded: Loaded, tokenizer: Any) -> set[int]:
    configured = getattr(loaded.model.generation_config, "eos_token_id", None)
    ends = configured if isinstance(configured, list) else [configured]
    return {token for token in (*ends, tokenizer.eos_token_id) if token is not None}
