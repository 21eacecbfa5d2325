// The token of a service that wants one: asked for once, kept until the tab is closed, sent nowhere else.
import { $ } from "./dom";

const NAME = "citewell-token";
let asking = null;

export const token = () => sessionStorage.getItem(NAME) || "";

/** Take the token that a login ended in: the address names a code for it, once. What went wrong is its result. */
export async function redeem() {
  const named = new URLSearchParams(location.hash.slice(1));
  const [code, refused] = [named.get("login"), named.get("refused")];
  if (code === null && refused === null) return "";
  history.replaceState(null, "", location.pathname);
  if (code === null) return refused;
  const reply = await fetch("/auth/token", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
  const answer = await reply.json();
  if (!reply.ok) return answer.error.message;
  sessionStorage.setItem(NAME, answer.token);
  return "";
}

/** Ask for a token; fulfilled when one was given. */
export function wanted(why) {
  asking ??= new Promise<void>((resolve) => {
    const dialog = $("token");
    $("token-why").textContent = why;
    $("token-given").value = "";
    dialog.addEventListener("close", () => {
      sessionStorage.setItem(NAME, $("token-given").value.trim());
      asking = null;
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}
