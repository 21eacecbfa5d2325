"""The page in a real browser: what its reader chooses: a library, labels, a model's layer, a promise."""

import pytest

from browsers import upload
from citewell.pipeline import promise
from citewell.serve.offered import Offered, offered

pytestmark = [pytest.mark.browser, pytest.mark.rare]
TEXT = "The harbour froze in January 2021. Two ferries were sold. Revenue rose to 5 million euros in 2022."
PROMISE = promise.Promise(
    "answers", 0.999, "any", 0.01, 0.95, "extractive", promise.fingerprint("extractive"), ["clapnq/dev"], "", {}, 900,
    600, 0, "x", [90] * promise.BINS, "0.1.0",
)  # fmt: skip


def entered(visit, service, token=None):
    page = visit.open(service.address)
    if token:
        page.fill("#token-given", token)
        page.keyboard.press("Enter")
    page.wait_for_selector("body[data-ready]")
    return page


def names(page):
    return page.locator("#list .name > span").all_inner_texts()


def test_each_library_of_a_token_can_be_opened_and_labels_be_left_out(visit, served, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("a-token-0123456789abcdef name=ann labels=finance,public\n", encoding="utf-8")
    libraries = (("reports", str(tmp_path / "a")), ("letters", str(tmp_path / "b")))
    with served(tmp_path, token_file=tokens, libraries=libraries) as running:
        page = entered(visit, running, "a-token-0123456789abcdef")
        upload(page, "report.txt", TEXT.encode())
        assert page.inner_text("#list small").startswith("finance, public")
        assert page.eval_on_selector("#library", "list => list.selectedOptions[0].text") == "reports (1 document)"
        page.select_option("#library", "letters")
        page.wait_for_function("() => !document.querySelectorAll('#list li').length")
        page.click("#labels input[value=finance]")
        page.wait_for_function("() => document.getElementById('live').textContent === 'Labels: public'")
        upload(page, "letter.txt", b"The canal froze in 1996.")
        page.fill("#given", "When did the canal freeze?")
        page.press("#given", "Enter")
        page.wait_for_selector(".result footer")
        assert "1996" in page.inner_text(".statement")
        assert "library=letters" in page.url
        again = page.url
        page.select_option("#library", "reports")
        page.wait_for_function("() => document.getElementById('live').textContent.includes('reports')")
        assert names(page) == []  # it has a label that is left out
        page.goto(again)
        page.wait_for_selector(".result footer")
        assert names(page) == ["letter.txt"]
        assert "1996" in page.inner_text(".statement")


def test_nothing_of_a_library_is_asked_of_the_next_one_when_replies_are_late(visit, served, tmp_path):
    libraries = (("reports", str(tmp_path / "a")), ("letters", str(tmp_path / "b")))
    with served(tmp_path, libraries=libraries) as running:
        page = entered(visit, running)
        late, addresses = [], []
        page.on("request", lambda request: addresses.append(request.url))
        page.route("**/v1/documents/*/pages?*", lambda route: hold(route, late))
        upload(page, "report.txt", TEXT.encode())
        go_on(page, late, "letters")
        assert names(page) == []
        assert not any("/text" in address for address in addresses)
        page.unroute("**/v1/documents/*/pages?*")
        page.route("**/v1/documents?*", lambda route: hold(route, late))
        page.set_input_files("#files", {"name": "b.txt", "mimeType": "text/plain", "buffer": b"The canal froze."})
        go_on(page, late, "reports")
        page.wait_for_function("() => !document.querySelector('#uploads li')")
        page.wait_for_selector(".running")
        page.select_option("#library", "letters")
        page.wait_for_function("() => document.querySelector('#list .name > span')?.textContent === 'b.txt'")
        assert [address for address in addresses if "library=reports" in address and "text" in address]


def test_a_file_goes_to_the_library_it_was_dropped_on_and_is_not_asked_for_in_the_next_one(visit, served, tmp_path):
    libraries = (("reports", str(tmp_path / "a")), ("letters", str(tmp_path / "b")))
    with served(tmp_path, libraries=libraries) as running:
        page = entered(visit, running)
        upload(page, "report.txt", TEXT.encode())
        page.select_option("#library", "letters")
        page.wait_for_function("() => !document.querySelectorAll('#list li').length")
        addresses, sent, listed = [], [], []
        page.on("request", lambda request: addresses.append(request.url))
        page.route(
            "**/v1/documents?*", lambda route: (sent if route.request.method == "POST" else listed).append(route)
        )
        files = [{"name": f"{n}.txt", "mimeType": "text/plain", "buffer": b"Letter %d." % n} for n in range(3)]
        page.set_input_files("#files", files)  # two are sent at a time: the third waits
        wait_for(page, sent, 2)
        page.select_option("#library", "reports")
        wait_for(page, listed, 1)
        sent.pop(0).continue_()
        wait_for(page, sent, 2)
        page.wait_for_timeout(200)  # what would be asked for after it
        for route in (*sent, *listed):
            route.continue_()
        page.unroute("**/v1/documents?*")
        page.wait_for_selector(".running")
        page.wait_for_function("() => !document.querySelector('#uploads li')")
        assert names(page) == ["report.txt"]
        shown = [address for address in addresses if "/pages" in address or "/text" in address]
        assert len(shown) == 2, shown  # those of the report
        page.select_option("#library", "letters")
        page.wait_for_function("() => document.querySelectorAll('#list li').length === 3")


def wait_for(page, routes, many):
    """Wait until so many requests are held back, half a minute at most."""
    for _ in range(1500):
        if len(routes) >= many:
            return
        page.wait_for_timeout(20)
    raise TimeoutError(f"{len(routes)} of {many} requests came")


def hold(route, late):
    """Keep back what is sent and what asks for pages, let the rest go."""
    if route.request.method == "POST" or "/pages" in route.request.url:
        late.append(route)
    else:
        route.continue_()


def go_on(page, late, library):
    """Open a library while a request waits, then let that request go."""
    wait_for(page, late, 1)
    page.select_option("#library", library)
    page.wait_for_function("name => document.getElementById('live').textContent.includes(name)", arg=library)
    for route in [late.pop() for _ in range(len(late))]:
        route.continue_()


def test_copied_words_are_found_at_a_layer_of_a_model_and_the_choice_comes_back(visit, served, tmp_path, zoo):
    arguments = offered(models=[f"tiny={zoo.encoder}"])
    with served(tmp_path, offered=arguments) as running:
        page = entered(visit, running)
        upload(page, "a.txt", TEXT.encode())
        page.eval_on_selector("[name=kind][value=attribute]", "radio => radio.click()")
        page.click("#options summary")
        assert page.is_hidden("[name=layer]")
        page.select_option("[name=method]", "hidden-states")
        assert page.input_value("[name=granularity]") == "window"
        assert page.get_attribute("[name=layer]", "max") == str(arguments.models["tiny"].layers)
        page.fill("[name=layer]", "1")
        page.fill("#given", "The harbour froze in January 2021.")
        page.click("#go")
        page.wait_for_selector(".result footer", state="attached")
        assert "layer=1" in page.text_content(".took")
        page.locator("mark.copied").first.click()
        page.wait_for_selector(".running mark.lit")
        page.reload()
        page.wait_for_selector("mark.copied")
        assert [page.input_value(f"[name={name}]") for name in ("method", "model", "layer")] == [
            "hidden-states", "tiny", "1"]  # fmt: skip


def test_a_question_is_held_to_a_promise_whose_words_are_shown(visit, served, tmp_path):
    with served(tmp_path, offered=Offered(promises={"careful": PROMISE})) as running:
        page = entered(visit, running)
        upload(page, "a.txt", TEXT.encode())
        page.click("#options summary")
        page.select_option("[name=promise]", "careful")
        assert "at most 1% are wrong" in page.inner_text("[data-option=promise] small")
        page.fill("#given", "When did the harbour freeze?")
        page.press("#given", "Enter")
        page.wait_for_selector(".abstained")
        assert "100% is needed" in page.get_attribute(".abstained p", "title")
