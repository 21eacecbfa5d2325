"""A saved answer or check with any one field changed: seen at once, and named again where the digest was made anew."""

import json

import pytest

from citewell import cli
from citewell.audit.recheck import recheck
from citewell.audit.verify import load, verify
from citewell.document import Document
from citewell.errors import CitewellError
from citewell.export import as_json
from citewell.pipeline import Pipeline, approaches
from citewell.types import digest

REPORT = Document.from_text(
    "The quarry employs 212 people in two shifts.\n\nIts output of slate rose to 9,400 tonnes in 2031.\n\n"
    "A landslide closed the upper road for six weeks. The road to the harbour stayed open.",
    title="Quarry",
)
ANSWER = "The quarry employs 221 people. Its output of slate rose to 9,400 tonnes in 2031. Penguins steer submarines."
LLM = 'scripted(reply="The quarry employs 212 people in two shifts. [1] It has no road. [3]")'
HOW = "usage.pipeline"  # of the usage, what is more than a figure of time and cost
# What a forger who makes the digest anew can change: names and notes that no method gives, and the method itself.
FORGED = ("question", "documents", "warnings", "usage", "schema_version")


def saved(name):
    match name:
        case "given":
            result = Pipeline().attribute([REPORT], ANSWER, "What is said of the quarry?")
        case "quoted":
            result = Pipeline(abstain=0).run([REPORT], "How many people does the quarry employ?")
        case "abstained":
            result = Pipeline(abstain=0.99).run([REPORT], "Which landslide closed the harbour?")
        case "written":
            result = Pipeline(**approaches.settings("citation", LLM)).run([REPORT], "What is said?")
        case "checked":
            pipeline = Pipeline()
            verdicts = pipeline.check([REPORT], ["The quarry employs 221 people.", "The upper road was closed."])
            return json.loads(as_json.render(verdicts, [REPORT], pipeline.record("checked")))
    return json.loads(as_json.render(result))


NAMES = ("given", "quoted", "abstained", "written", "checked")


def leaves(data, path=""):
    """Every value that is no list and no object, and every list, each with its path and its holder."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        where = f"{path}.{key}" if isinstance(data, dict) else f"{path}[{key}]"
        if isinstance(value, dict | list):
            if isinstance(value, list) and value:
                yield where.lstrip("."), data, key, value
            yield from leaves(value, where)
        else:
            yield where.lstrip("."), data, key, value


def other(value):
    """Another value of the same type, as near as may be; a list without its last, and turned round where it has two."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1]
        case float():
            return [value + 0.01 if value < 0.5 else value - 0.01]
        case str():
            labels = {"supported": "quoted", "contradicted": "not_supported", "not_supported": "no_claim"}
            return [labels.get(value, f"{value}x")]
        case list():
            return [value[:-1], *([value[::-1]] if len(value) > 1 and value[::-1] != value else [])]
        case _:
            return [1]


def changes(name):
    """(path, the data with that changed) of every field, one at a time."""
    data = saved(name)
    for path, holder, key, value in leaves(data):
        for changed in other(value):
            holder[key] = changed
            yield path, data
            holder[key] = value


def is_noticed(data, *, again=False):
    """Whether anything is said against it."""
    try:
        answer = load(json.dumps(data))
        return bool(verify(answer, [REPORT]).mismatches or (again and recheck(answer, [REPORT])))
    except CitewellError:
        return True


@pytest.mark.parametrize("name", NAMES)
def test_what_was_saved_holds_and_comes_out_the_same_again(name):
    data = saved(name)
    assert "digest" in data["usage"]
    answer = load(json.dumps(data))
    assert verify(answer, [REPORT]).mismatches == ()
    assert recheck(answer, [REPORT]) == ()


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_every_field_that_is_changed_is_seen(name):
    result = ((path, data) for path, data in changes(name) if path.startswith(HOW) or not path.startswith("usage"))
    missed = [path for path, data in result if not is_noticed(data)]
    assert missed == []


def redigested(data):
    """The data with a digest that fits: what a careful forger saves."""
    if "verdicts" in data:
        usage = {"pipeline": data["usage"]["pipeline"]}
        settings = {**data, "usage": usage}
        return {**data, "usage": {**usage, "digest": digest(settings)}}
    fits = load(json.dumps(data))
    return {**data, "usage": {**data["usage"], "digest": fits.digest}}


@pytest.mark.long
@pytest.mark.parametrize("name", ["given", "quoted", "abstained", "checked"])
def test_every_field_that_is_made_again_is_named_where_the_digest_fits_too(name):
    missed = []
    for path, data in changes(name):
        if path.startswith(FORGED) or path == "verdicts":  # a check of fewer claims is another check, and no false one
            continue
        try:
            forged = redigested(data)
        except CitewellError:
            continue  # it is refused, whatever its digest
        if not is_noticed(forged, again=True):
            missed.append(path)
    assert missed == []


def test_a_check_on_the_command_line_can_be_made_again(tmp_path, capsys):
    source, target = tmp_path / "quarry.txt", tmp_path / "verdicts.json"
    source.write_text(REPORT.text, encoding="utf-8")
    assert cli.main(["check", str(source), "The quarry employs 221 people.", "--json", "--quiet"]) == 0
    target.write_text(capsys.readouterr().out, encoding="utf-8")
    assert cli.main(["verify", str(target), str(source), "--recheck", "--quiet"]) == 0
    target.write_text(target.read_text(encoding="utf-8").replace('"contradicted"', '"supported"'), encoding="utf-8")
    assert cli.main(["verify", str(target), str(source), "--recheck", "--quiet"]) == 3
    out = capsys.readouterr().out
    assert "something was changed" in out
    assert "made again, it is contradicted" in out
