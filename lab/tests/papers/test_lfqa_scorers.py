"""Model scores: perplexity is what the model's own loss says, windows count each token once."""

import numpy as np
import pytest

from citewell.errors import BackendError
from citewell_lab.papers.lfqa.scorers import Perplexity, continuation


@pytest.fixture
def causal(zoo):
    return zoo.gpt2


def reference(path, answer):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(path), AutoModelForCausalLM.from_pretrained(path).eval()
    ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer(answer, add_special_tokens=False)["input_ids"]]])
    with torch.inference_mode():
        return float(torch.exp(model(input_ids=ids, labels=ids).loss))


def test_perplexity_is_the_exponential_of_the_models_own_loss(causal):
    answer = "Revenue rose to 41 million in 2022."
    (result,) = Perplexity(model=causal, device="cpu")([("ignored", answer)])
    assert result == pytest.approx(reference(causal, answer), rel=1e-4)


def test_an_answer_longer_than_the_context_is_read_whole(causal):
    answer = "Costs fell by 2%. " * 200
    (result,) = Perplexity(model=causal, device="cpu")([("", answer)])
    assert np.isfinite(result)
    assert result > 1


def test_an_answer_without_tokens_is_told(causal):
    with pytest.raises(BackendError, match="at least two tokens"):
        Perplexity(model=causal, device="cpu")([("", "")])


def test_continuation_is_the_product_of_two_embeddings():
    class Lengths:
        def embed(self, texts, *, passages=False):
            return np.array([[len(text), 1.0 if passages else 2.0] for text in texts])

    assert continuation(Lengths())([("abc", "de")]) == [3 * 2 + 2 * 1]
