// The token of a service that wants one: asked for once, kept until the tab is closed, sent nowhere else.
import { $ } from "./dom.js";

const NAME = "citewell-token";
let asking = null;

export const token = () => sessionStorage.getItem(NAME) || "";

/** Ask for a token; fulfilled when one was given. */
export function wanted(why) {
  asking ??= new Promise((resolve) => {
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
