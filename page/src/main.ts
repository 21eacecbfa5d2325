// Where the page begins: what the service allows, then each part.
import "./page.css";
import "./panes.css";
import "./sheets.css";
import * as answer from "./answer";
import * as api from "./api";
import * as connection from "./connection";
import * as asking from "./asking";
import * as conversation from "./conversation";
import * as documents from "./documents";
import { $, make, turnTo } from "./dom";
import * as finder from "./finder";
import * as frame from "./frame";
import * as history from "./history";
import * as keyboard from "./keyboard";
import * as labels from "./labels";
import { turnLanguage } from "./language";
import * as libraries from "./libraries";
import * as overview from "./overview";
import * as selection from "./selection";
import * as theme from "./theme";
import * as users from "./users";
import * as viewer from "./viewer";

// What a change of library broke off is nobody's fault.
addEventListener("unhandledrejection", (event: any) => event.reason?.name === "AbortError" && event.preventDefault());
frame.begin();
$("language").addEventListener("click", turnLanguage);
theme.begin();
connection.begin();
viewer.begin();
answer.begin();
conversation.begin();
selection.begin();
keyboard.begin();
finder.begin();
for (const link of document.querySelectorAll<any>(".panes [data-pane]")) link.addEventListener("click", () => turnTo(link.dataset.pane));

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
