"""Local models through the class that users use: one is trained here, so that its output means something."""

from __future__ import annotations

import pytest

from citewell.errors import BackendError, ContextTooLongError, UnknownModelError
from citewell.llm.chat import ending, rendered
from citewell.llm.transformers import Transformers
from citewell.models import loading
from citewell.protocols import Message, Request

pytestmark = pytest.mark.models
torch = pytest.importorskip("torch", reason="needs torch: pip install 'citewell[local]'")
transformers = pytest.importorskip("transformers", reason="needs transformers")
from tiny_models import byte_level  # noqa: E402

FACTS = {"Who?": "Ann Smith did.", "When?": "In 1990, in Zürich 東京.", "How much?": "41 million\nor so"}
TEMPLATE = "{% for message in messages %}<s>{{ message['content'] }}</s>{% endfor %}"


def ask(question, **more):
    return Request((Message("user", question),), **{"max_tokens": 60, **more})


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    """A causal model of two layers that has learnt three answers by heart."""
    torch.manual_seed(0)
    tokenizer = byte_level()
    tokenizer.chat_template = TEMPLATE
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_positions=160, n_embd=64, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=2,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
    )  # fmt: skip
    model = transformers.GPT2LMHeadModel(config)
    rows, masks = [], []
    for question, answer in FACTS.items():
        messages = [Message("user", question)]
        prompt = rendered(tokenizer, "causal", messages)
        input_ids = tokenizer(prompt.text, add_special_tokens=prompt.special)["input_ids"]
        result = tokenizer(answer + ending(tokenizer, "causal", messages, answer), add_special_tokens=False)[
            "input_ids"
        ]
        rows.append(input_ids + result)
        masks.append([-100] * len(input_ids) + result)
    width = max(map(len, rows))
    ids = torch.tensor([row + [1] * (width - len(row)) for row in rows])
    labels = torch.tensor([row + [-100] * (width - len(row)) for row in masks])
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # so small a model only waits for more
    for _ in range(60):
        optimizer.zero_grad()
        loss = model(input_ids=ids, attention_mask=(ids != 1).long(), labels=labels).loss
        loss.backward()
        optimizer.step()
    torch.set_num_threads(threads)
    assert loss.item() < 0.1
    path = tmp_path_factory.mktemp("taught")
    tokenizer.save_pretrained(path)
    model.save_pretrained(path)
    return str(path)


@pytest.mark.parametrize("question", FACTS)
def test_a_model_says_what_it_was_taught(taught, question):
    completion = Transformers(model=taught).complete(ask(question))
    assert (completion.text, completion.finish, completion.cost) == (FACTS[question], "stop", 0.0)
    assert completion.output_tokens < 60


@pytest.mark.parametrize("question", FACTS)
def test_what_is_streamed_is_the_reply_and_never_half_a_character(taught, question):
    pieces = []
    completion = Transformers(model=taught).complete(ask(question), pieces.append)
    assert "".join(pieces) == completion.text == FACTS[question]
    assert len(pieces) > 3
    assert not any("\ufffd" in piece for piece in pieces)


def test_a_reply_ends_before_a_stop_text_streamed_too(taught):
    for listen in (None, [].append):
        completion = Transformers(model=taught).complete(ask("How much?", stop=("\nor", "never")), listen)
        assert (completion.text, completion.finish) == ("41 million", "stop")
    pieces = []
    Transformers(model=taught).complete(ask("How much?", stop=("\nor",)), pieces.append)
    assert "".join(pieces) == "41 million"


def test_a_reply_that_is_cut_off_says_so(taught):
    completion = Transformers(model=taught).complete(ask("When?", max_tokens=3))
    assert (completion.finish, completion.output_tokens) == ("length", 3)


def test_sampling_follows_the_seed_and_leaves_the_generator_of_others_alone(taught):
    llm = Transformers(model=taught)
    state = torch.random.get_rng_state()
    drawn = [llm.complete(ask("Who?", temperature=5.0, seed=seed)).text for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert torch.equal(torch.random.get_rng_state(), state)


def test_a_prompt_that_does_not_fit_is_told_with_both_numbers(taught):
    with pytest.raises(ContextTooLongError, match=r"more than the 160 that") as caught:
        Transformers(model=taught).complete(ask("Who? " * 80))
    assert caught.value.limit == 160
    assert caught.value.tokens > 160
    with pytest.raises(ContextTooLongError) as caught:
        Transformers(model=taught, context=20).complete(ask("Who?"))
    assert caught.value.limit == 20


def test_an_encoder_decoder_with_relative_positions_may_read_more_than_it_was_trained_with(zoo):
    llm = Transformers(model=zoo.t5, context=9000)
    assert llm.complete(ask("Revenue rose. " * 300, max_tokens=4)).output_tokens <= 4


def test_tokens_are_counted_by_the_models_own_tokenizer(taught):
    assert Transformers(model=taught).count_tokens("Revenue rose") == len(byte_level()("Revenue rose")["input_ids"])


@pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")  # raised by peft as it wraps a model
def test_an_adapter_changes_the_replies_and_not_the_model_of_others(taught, tmp_path):
    peft = pytest.importorskip("peft", reason="needs peft: pip install 'citewell[local]'")
    base = loading.load_own("causal", taught)
    model = peft.get_peft_model(base.model, peft.LoraConfig(r=4, target_modules=["c_attn"], fan_in_fan_out=True))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "lora_" in name:
                torch.nn.init.normal_(weight, generator=torch.Generator().manual_seed(0))
    model.save_pretrained(tmp_path)
    adapted = Transformers(model=taught, adapter=str(tmp_path)).complete(ask("Who?"))
    assert adapted.text != FACTS["Who?"]
    assert str(tmp_path) in adapted.model
    assert Transformers(model=taught).complete(ask("Who?")).text == FACTS["Who?"]


def test_what_is_no_model_or_no_adapter_is_told(taught, tmp_path):
    with pytest.raises(UnknownModelError, match="the folder does not exist") as caught:
        Transformers(model="./none").complete(ask("Who?"))
    assert caught.value.exit_code == 2
    pytest.importorskip("peft", reason="needs peft")
    with pytest.raises(BackendError, match="the adapter in .* could not be loaded: "):
        Transformers(model=taught, adapter=str(tmp_path)).complete(ask("Who?"))
    with pytest.raises(ValueError, match="name a model"):
        Transformers()
