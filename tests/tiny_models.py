"""Tiny models with random weights, saved as users' models are and loaded by the same code. Made once a test run."""

# ruff: noqa: S105, S106 -- special tokens of tokenizers, no passwords

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="model back ends need torch: pip install 'citewell[local]'")
transformers = pytest.importorskip("transformers", reason="model back ends need transformers")
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers  # noqa: E402

LINES = [
    "The company was founded in 1990 by Ann Smith. Revenue rose to 41 million in 2022.",
    "Blood flows through the aorta, which is the largest artery. Costs fell by 2%.",
    "premise: hypothesis: predict: Query: Document: Relevant: true false 0 1 Attributable Extrapolatory Contradictory",
    "Question: Answer: Answer in detail, from this document only. Claim: Reference: Response: Instruction: Input:",
    "naïve café Zürich 東京は日本の首都です 😀 emoji",
] * 3
WIDTH = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}


def wordpiece():
    """BERT's kind."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    tokenizer.train_from_iterator(LINES, trainers.WordPieceTrainer(vocab_size=400, special_tokens=names))
    ids = [(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", ids)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )


def byte_level(*, roberta: bool = False):
    """GPT-2's and RoBERTa's kind."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    names = ["<s>", "<pad>", "</s>", "<unk>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        LINES, trainers.BpeTrainer(vocab_size=420, special_tokens=names, initial_alphabet=alphabet)
    )
    if roberta:
        tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    )


def sentencepiece(*, byte_fallback: bool, eos: bool):
    """Llama's kind (merges, bytes for what is unknown) or T5's (NFKC, unigrams)."""
    names = ["<pad>", "</s>", "<unk>", "<s>"]
    if byte_fallback:
        tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
        tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
        names = [*names, *(f"<0x{byte:02X}>" for byte in range(256))]
        trainer = trainers.BpeTrainer(vocab_size=560, special_tokens=names)
    else:
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.normalizer = normalizers.NFKC()
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        trainer = trainers.UnigramTrainer(vocab_size=300, special_tokens=names, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(LINES, trainer)
    if eos:
        tokenizer.post_processor = processors.TemplateProcessing("$A </s>", "$A </s> $B </s>", [("</s>", 1)])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    )


class Zoo:
    """Paths of the tiny models, each made when first asked for."""

    def __init__(self, folder) -> None:
        transformers.utils.logging.disable_progress_bar()
        torch.set_num_threads(1)  # for models this small more threads only wait for each other
        self.folder, self.models = folder, {}

    def __getattr__(self, name: str) -> str:
        if name.startswith("_") or not hasattr(type(self), f"make_{name}"):
            raise AttributeError(name)
        if name not in self.models:
            torch.manual_seed(0)
            tokenizer, model = getattr(self, f"make_{name}")()
            path = self.folder / name
            if hasattr(tokenizer, "save_pretrained"):
                tokenizer.save_pretrained(path)
            model.save_pretrained(str(path))
            self.models[name] = str(path)
        return self.models[name]

    def bert(self, cls, tokenizer=None, positions=128, **more):
        tokenizer = tokenizer or wordpiece()
        # Weights are wide, so that random classifiers are not all undecided.
        config = transformers.BertConfig(
            vocab_size=len(tokenizer), max_position_embeddings=positions, initializer_range=0.6, **WIDTH, **more
        )
        return tokenizer, cls(config)

    def make_encoder(self):
        return self.bert(transformers.BertModel)

    def make_passage_encoder(self):
        torch.manual_seed(7)
        return self.bert(transformers.BertModel)

    def make_sentence_encoder(self):
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer import modules as parts

        with_layers = SentenceTransformer(modules=[parts.Transformer(self.encoder), parts.Pooling(32)], device="cpu")
        return None, with_layers

    def make_reader(self):
        return self.bert(transformers.BertForQuestionAnswering)

    def make_reader_roberta(self):
        tokenizer = byte_level(roberta=True)
        config = transformers.RobertaConfig(
            vocab_size=len(tokenizer), max_position_embeddings=130, pad_token_id=1, type_vocab_size=1,
            initializer_range=0.6, **WIDTH,
        )  # fmt: skip
        return tokenizer, transformers.RobertaForQuestionAnswering(config)

    def make_nli(self):
        labels = {0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}
        return self.bert(transformers.BertForSequenceClassification, num_labels=3, id2label=labels)

    def make_nli_turned(self):
        labels = {0: "contradiction", 1: "neutral", 2: "entailment"}
        return self.bert(transformers.BertForSequenceClassification, num_labels=3, id2label=labels)

    def make_nli_unnamed(self):
        return self.bert(transformers.BertForSequenceClassification, num_labels=3)

    def make_docnli(self):
        labels = {0: "entailment", 1: "not_entailment"}
        tokenizer = byte_level(roberta=True)
        config = transformers.RobertaConfig(
            vocab_size=len(tokenizer), max_position_embeddings=130, pad_token_id=1, num_labels=2, id2label=labels,
            type_vocab_size=1, initializer_range=0.6, **WIDTH,
        )  # fmt: skip
        return tokenizer, transformers.RobertaForSequenceClassification(config)

    def make_minicheck_deberta(self):
        tokenizer = wordpiece()
        tokenizer.eos_token = "[SEP]"
        config = transformers.DebertaV2Config(
            vocab_size=len(tokenizer), max_position_embeddings=256, initializer_range=0.6, num_labels=2, **WIDTH
        )
        return tokenizer, transformers.DebertaV2ForSequenceClassification(config)

    def make_cross_encoder(self):
        return self.bert(transformers.BertForSequenceClassification, num_labels=1)

    def make_t5(self, factor=3.0):
        tokenizer = sentencepiece(byte_fallback=False, eos=True)
        config = transformers.T5Config(
            vocab_size=len(tokenizer), d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, pad_token_id=0,
            eos_token_id=1, decoder_start_token_id=0, initializer_factor=factor,
        )  # fmt: skip
        return tokenizer, transformers.T5ForConditionalGeneration(config)

    def make_plain_t5(self):
        """Its weights are as wide as of a real one: float errors stay as small as theirs."""
        return self.make_t5(1.0)

    def make_llama(self):
        tokenizer = sentencepiece(byte_fallback=True, eos=False)
        tokenizer.chat_template = (
            "{% for message in messages %}<s>[INST] {{ message['content'] | trim }} [/INST]{% endfor %}"
        )
        config = transformers.LlamaConfig(vocab_size=len(tokenizer), max_position_embeddings=512, **WIDTH)
        return tokenizer, transformers.LlamaForCausalLM(config)

    def make_wide_llama(self):
        """Wide enough for blocks of four-bit weights."""
        tokenizer = sentencepiece(byte_fallback=True, eos=False)
        wide = {**WIDTH, "hidden_size": 128, "intermediate_size": 256}
        return tokenizer, transformers.LlamaForCausalLM(transformers.LlamaConfig(vocab_size=len(tokenizer), **wide))

    def make_gpt2(self):
        tokenizer = byte_level()
        config = transformers.GPT2Config(
            vocab_size=len(tokenizer), n_positions=192, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=2
        )
        return tokenizer, transformers.GPT2LMHeadModel(config)

    def make_opt(self):
        tokenizer = byte_level()
        config = transformers.OPTConfig(
            vocab_size=len(tokenizer), max_position_embeddings=256, hidden_size=32, word_embed_proj_dim=32, ffn_dim=48,
            num_hidden_layers=2, num_attention_heads=4, pad_token_id=1,
        )  # fmt: skip
        return tokenizer, transformers.OPTForCausalLM(config)
