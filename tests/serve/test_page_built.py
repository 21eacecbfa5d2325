"""The page as it is shipped is what its sources say: compared by a stamp, so that no test needs Node."""

import hashlib
import re
from pathlib import Path

import pytest

from citewell.serve.page import routes as files

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "page"
MODULES = sorted((SOURCES / "src").glob("*.ts*"))


def stamp():
    names = sorted(
        [
            *(f"{folder}/{path.name}" for folder in ("src", "public") for path in (SOURCES / folder).iterdir()),
            "package-lock.json",
        ]
    )
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\n".encode())
        digest.update((SOURCES / name).read_bytes())
    return digest.hexdigest()[:16]


def test_the_page_is_built_from_the_sources_that_lie_here():
    built = files.file("/page/main.js")[0].decode()
    assert f"sources {stamp()}" in built[:300], "run `make page`"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_is_long_and_none_reads_html_from_text(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write|\beval\b|new Function", text
    )


def test_the_lock_of_packages_names_no_address_to_load_from():
    lock = (SOURCES / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert lock.count('"integrity"') > 5


TEXT = re.compile(r'^  (\w+): \["(.+)", "(.+)"\],$', re.MULTILINE)
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?<=[(,=:\[!&|?])\ ?/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/|"(?:[^"\\\n]|\\.)*"|[`{}]|\\.""",
    re.DOTALL,
)
NO_TEXT = re.compile(  # names of what browsers know: selectors, headers, keys, names of files
    r"citewell|[a-z]+\[.*|[#.:\[].*|[A-Z][a-z]+(-[A-Z][A-Za-z]+)+|Authorization|Enter|Escape|Esc|Files|AbortError|"
    r"Error|JSON|Markdown|HTML|BibTeX|API|POST|PATCH|DELETE|\(.*\)|100px sans-serif|Bearer|application/json"
)


def texts():
    return {key: (english, german) for key, english, german in TEXT.findall((SOURCES / "src/texts.ts").read_text())}


def literals(source):
    """The strings of a module, and the fixed parts of its templates, each with what stands before it."""
    templates, depth, at = (
        [],
        0,
        0,
    )  # for each open template: the depth of braces of what is filled in, None in its words
    for token in TOKEN.finditer(source):
        text = token.group()
        in_words = bool(templates) and templates[-1] is None
        if in_words and text in ("`", "{") and (text == "`" or source[token.start() - 1] == "$"):
            yield source[at : token.start()].removesuffix("$"), source[max(0, at - 40) : at - 1]
            if text == "`":
                templates.pop()
            else:
                depth += 1
                templates[-1] = depth
        elif in_words:
            continue
        elif text == "`":
            templates.append(None)
            at = token.end()
        elif text == "{":
            depth += 1
        elif text == "}":
            if templates and templates[-1] == depth:
                templates[-1], at = None, token.end()
            depth -= 1
        elif text.startswith('"'):
            yield text[1:-1], source[max(0, token.start() - 40) : token.start()]


def test_both_languages_have_every_text_with_the_same_values():
    module = (SOURCES / "src/texts.ts").read_text()
    lines = [line for line in module.splitlines() if line.startswith("  ") and not line.startswith("  //")]
    assert len(texts()) == len(lines) > 200
    for key, (english, german) in texts().items():
        assert sorted(set(re.findall(r"{(\w+)}", english))) == sorted(set(re.findall(r"{(\w+)}", german))), key
        assert english.count("|") == german.count("|") <= 1, key


def test_every_text_is_used():
    modules = "".join(path.read_text() for path in MODULES if path.name != "texts.ts")
    families = tuple(re.findall(r"`(\w+)\$\{", modules))
    unused = [key for key in texts() if f'"{key}"' not in modules and not key.startswith(families)]
    assert unused == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_text_stands_outside_of_the_files_of_texts(path):
    if path.name in ("texts.ts", "sentences.ts"):  # the page's own, and the service's in German
        return
    source = path.read_text()
    strings = [text for text, before in literals(source) if not re.search(r"class(Name)?[:=][^,}]*$|from $", before)]
    strings += re.findall(r"(?<=[^=])>([^<>{}()=;\n]+)</", source)  # text between elements
    strings = [text.strip() for text in strings if not NO_TEXT.fullmatch(text.strip())]
    assert [text for text in strings if re.search(r"^[A-Z][a-z]+\b|[A-Za-z]{2,} [A-Za-z]{2,}", text)] == []


def test_the_strings_of_a_module_are_found():
    source = """make("a b", {}, t("key"), `one ${two(`three ${4} five`, "six")} seven`, /"no`/, x); // "no"\n/* "no" */ {"y"}"""
    strings = [text for text, _ in literals(source)]
    assert strings == ["a b", "key", "one ", "three ", " five", "six", " seven", "y"]
