"""Users in the page: an admin makes, limits and revokes them; others are not offered it."""

from importlib import resources

import pytest

from citewell.library.library import Library
from citewell.serve.users import Users

pytestmark = pytest.mark.browser


def entered(visit, address, token):
    page = visit.open(address)
    page.wait_for_selector("#token[open]")
    page.fill("#token-given", token)
    page.click("#token button")
    page.wait_for_selector("body[data-ready]")
    return page


def test_an_admin_makes_limits_and_revokes_users_in_the_page(visit, online, tmp_path):
    import httpx2 as httpx

    axe = pytest.importorskip("axe_playwright_python")
    with Library(tmp_path / "library", create=True) as library:
        boss = Users(library).add("boss", "finance", "admin")
        address = online(users=library)

        def status(token):
            return httpx.get(f"{address}/v1/documents", headers={"Authorization": f"Bearer {token}"}).status_code

        page = entered(visit, address, boss)
        page.click("#people-open")
        assert page.inner_text("#people-name") == "Users of finance"
        page.fill("#people-called", "ben")
        page.click("#people-new button")
        page.wait_for_selector("#new-token")
        token = page.input_value("#new-token")
        assert status(token) == 200
        page.evaluate((resources.files(axe) / "axe.min.js").read_text())
        assert [fault["id"] for fault in page.evaluate("() => axe.run()")["violations"]] == []
        assert page.is_disabled('[data-user="boss"] select')
        page.evaluate("() => { document.querySelector('[data-user=ben]').dataset.before = 'yes'; }")
        page.select_option('[data-user="ben"] select', "reader")
        page.wait_for_selector('[data-user="ben"]:not([data-before])')  # the list is made anew when it is done
        assert page.input_value('[data-user="ben"] select') == "reader"
        assert page.locator("#new-token").count() == 0
        assert [user.role for user in Users(library).all()] == ["reader", "admin"]
        page.click('[data-user="ben"] .remove')
        page.click('[data-user="ben"] .remove.sure')
        page.wait_for_selector('[data-user="ben"]', state="detached")
        assert status(token) == 401


def test_a_member_is_not_offered_users(visit, online, tmp_path):
    with Library(tmp_path / "library", create=True) as library:
        token = Users(library).add("ben")
        page = entered(visit, online(users=library), token)
        assert page.is_hidden("#people-open")
