// Where the page begins: what the service allows, then each part.
import * as answer from "./answer.js";
import * as api from "./api.js";
import * as connection from "./connection.js";
import * as asking from "./asking.js";
import * as conversation from "./conversation.js";
import * as documents from "./documents.js";
import { $, make, turnTo } from "./dom.js";
import * as finder from "./finder.js";
import * as history from "./history.js";
import * as keyboard from "./keyboard.js";
import * as labels from "./labels.js";
import * as libraries from "./libraries.js";
import * as overview from "./overview.js";
import * as selection from "./selection.js";
import * as theme from "./theme.js";
import * as users from "./users.js";
import * as viewer from "./viewer.js";

// What a change of library broke off is nobody's fault.
addEventListener("unhandledrejection", (event) => event.reason?.name === "AbortError" && event.preventDefault());
theme.begin();
connection.begin();
viewer.begin();
answer.begin();
conversation.begin();
selection.begin();
keyboard.begin();
finder.begin();
for (const link of document.querySelectorAll(".panes [data-pane]")) link.addEventListener("click", () => turnTo(link.dataset.pane));

try {
  const settings = await api.settings();
  labels.learn(settings.labels);
  asking.begin(settings);
  await libraries.begin();
  history.opening.library = libraries.open;
  await documents.begin(settings);
  await history.begin();
  await libraries.offer();
  overview.begin(asking.askOf);
  users.begin(settings);
  document.body.dataset.ready = "true";
} catch (error) {
  if (error.status === 0) connection.onBack(() => location.reload());
  $("results").replaceChildren(make("p", { class: "failure", role: "alert" }, error.message));
}
