// The users of a workspace, for its admins: made, limited, given a new token, revoked; none of it needs a restart.
import * as api from "./api";
import { $, button, copy, make, say } from "./dom";
import { t } from "./language";

const ROLES = { reader: t("role_reader"), member: t("role_member"), admin: t("role_admin") };
let own = ""; // the name of who is here

const roles = (chosen) => Object.entries(ROLES).map(([role, words]) => make("option", { value: role, selected: role === chosen }, words));

/** A token is shown once, beside what makes it usable. */
function reveal(name, token) {
  const field = make("input", { id: "new-token", readonly: true, value: token, "aria-label": t("tokenOf", { name }) });
  $("people-said").replaceChildren(
    make("p", {}, t("tokenOnce", { name })),
    make("div", { class: "pair" }, field, button({ onclick: async () => { await copy(token); say(t("tokenCopied")); } }, t("copy"))));
  field.select();
}

async function act(work) {
  $("people-said").replaceChildren();
  try {
    await work();
  } catch (error) {
    $("people-said").replaceChildren(make("p", { class: "failure", role: "alert" }, error.message));
  }
  await list();
}

function row(user) {
  const me = user.name === own;
  const last = user.until ? new Date(new Date(user.until).getTime() - 1).toISOString().slice(0, 10) : "";
  const role = make("select", { "aria-label": t("roleOf", { name: user.name }), disabled: me, onchange: () => act(() => api.limit(user.name, { role: role.value })) }, ...roles(user.role));
  const until = make("input", { type: "date", "aria-label": t("lastDayOf", { name: user.name }), value: last, disabled: me, onchange: () => act(() => api.limit(user.name, { until: until.value || null })) });
  const renew = button({ class: "quiet", "aria-label": t("newTokenFor", { name: user.name }), disabled: me, onclick: () => act(async () => reveal(user.name, await api.renew(user.name))) }, t("newToken"));
  const revoke = button({ class: "quiet remove", "aria-label": t("revokeIt", { name: user.name }), disabled: me, onclick: () => {
    if (revoke.classList.contains("sure")) return act(async () => { await api.revoke(user.name); say(t("revoked", { name: user.name })); });
    revoke.classList.add("sure");
    revoke.textContent = t("revokeSure");
    revoke.setAttribute("aria-label", t("revokeSureIt", { name: user.name }));
  } }, t("revoke"));
  const facts = [...user.labels, user.libraries && t("onlyIn", { names: user.libraries.join(", ") })].filter(Boolean).join(" · ");
  return make("tr", { data: { user: user.name } }, make("th", { scope: "row" }, user.name, me ? t("you") : "", facts ? make("small", {}, ` ${facts}`) : null), make("td", {}, role), make("td", {}, until), make("td", {}, renew, revoke));
}

async function list() {
  const users = await api.users();
  $("people-list").replaceChildren(...users.map(row));
}

async function open() {
  $("people-said").replaceChildren();
  try {
    await list();
    $("people").showModal();
  } catch (error) {
    say(error.message);
  }
}

/** Offer it to admins of a service that has users. */
export function begin({ users, caller, workspace }) {
  if (!users) return;
  own = caller;
  $("people-open").hidden = false;
  $("people-name").textContent = workspace ? t("usersOf", { name: workspace }) : t("users");
  $("people-role").replaceChildren(...roles("member"));
  $("people-open").addEventListener("click", open);
  $("people-close").addEventListener("click", () => $("people").close());
  $("people-new").addEventListener("submit", (event: any) => {
    event.preventDefault();
    const name = $("people-called").value.trim();
    act(async () => {
      const token = await api.addUser({ name, role: $("people-role").value, ...($("people-until").value ? { until: $("people-until").value } : {}) });
      $("people-new").reset();
      reveal(name, token);
    });
  });
}
