// The frame of the page: its panes, forms and dialogs, empty; the modules fill what has an id.
import { render } from "preact";
import { $ } from "./dom";
import { language, t, type Key } from "./language";

const Unseen = ({ text, ...rest }: { text: Key; [name: string]: any }) => <span class="unseen" {...rest}>{t(text)}</span>;

function Top() {
  const pane = (name: string, text: Key, current = false) => <button type="button" data-pane={name} aria-current={current ? "true" : undefined}>{t(text)}</button>;
  return (
    <header class="top">
      <h1>citewell</h1>
      <nav class="panes" aria-label={t("panes")}>
        {pane("documents", "documents")}
        {pane("answer", "paneAnswer", true)}
        {pane("viewer", "panePages")}
      </nav>
      <p class="model" id="model" />
      <button type="button" id="people-open" class="quiet" hidden>{t("users")}</button>
      <a href="/docs">API</a>
      <button type="button" id="language" class="quiet" lang={t("otherLanguageCode")}>{t("otherLanguage")}</button>
      <button type="button" id="theme" class="quiet" />
    </header>
  );
}

function Documents() {
  return (
    <section class="pane" id="documents" aria-label={t("documents")}>
      <section class="places" id="places" aria-label={t("library")} hidden>
        <label id="library-field">{t("library")}<select id="library" /></label>
        <fieldset class="labels" id="labels" />
      </section>
      <section class="drop" id="drop">
        <p>{t("drop")}</p>
        <div class="picks">
          <label class="pick">{t("chooseFiles")}<input type="file" id="files" multiple /></label>
          <label class="pick">{t("chooseFolder")}<input type="file" id="folder" {...{ webkitdirectory: true }} multiple /></label>
        </div>
      </section>
      <div id="shelf" />
      <section class="past" id="past" hidden>
        <div class="bar"><h2 id="past-name">{t("conversations")}</h2></div>
        <label class="unseen" for="search">{t("searchConversations")}</label>
        <input type="search" id="search" placeholder={t("search")} autocomplete="off" />
        <ul class="list" id="entries" aria-labelledby="past-name" />
        <div class="ends">
          <button type="button" class="quiet" id="more" hidden>{t("older")}</button>
          <button type="button" class="quiet" id="corrected">{t("correctionsAsData")}</button>
          <button type="button" class="quiet" id="forget">{t("removeAll")}</button>
        </div>
      </section>
    </section>
  );
}

function Asking() {
  const kind = (value: string, text: Key, checked = false) => <label><input type="radio" name="kind" value={value} defaultChecked={checked} /><span>{t(text)}</span></label>;
  return (
    <form id="form" class="asking" autocomplete="off">
      <p class="scope" id="scope" hidden />
      <details class="ways" id="ways">
        <summary>{t("ways")}</summary>
        <fieldset class="kinds">
          <legend class="unseen">{t("whatToDo")}</legend>
          {kind("ask", "ask", true)}
          {kind("attribute", "findEvidence")}
          {kind("check", "checkClaims")}
          {kind("audit", "audit")}
          {kind("compare", "compare")}
        </fieldset>
      </details>
      <p class="editing" id="editing" hidden />
      <label class="unseen" id="given-name" for="given">{t("question")}</label>
      <textarea id="given" rows={2} dir="auto" placeholder={t("askHint")} required />
      <div class="second" hidden>
        <label class="unseen" for="other">{t("otherAnswer")}</label>
        <textarea id="other" rows={4} dir="auto" placeholder={t("otherAnswer")} />
      </div>
      <div class="foot">
        <details id="options" class="options">
          <summary>{t("options")}</summary>
          <div class="fields" id="fields"><label class="tick"><input type="checkbox" id="keep" defaultChecked /> {t("keep")}</label></div>
        </details>
        <button type="button" id="stop" class="quiet" hidden>{t("stop")}</button>
        <button type="submit" id="go" class="main">{t("ask")}</button>
      </div>
    </form>
  );
}

function Answer() {
  const key = (name: string) => <><kbd>{name}</kbd>{" "}</>;
  return (
    <section class="pane" id="answer" tabIndex={-1} aria-label={t("questionAndAnswer")}>
      <div class="bar talk" id="talk" role="group" aria-label={t("thisConversation")} hidden />
      <div class="talking" id="talking" tabIndex={0} role="region" aria-label={t("conversation")}>
        <section class="start" id="start" hidden>
          <h2>{t("startTitle")}</h2>
          <p>{t("startWords")}</p>
          <label class="pick main" for="files">{t("chooseDocument")}</label>
        </section>
        <section class="overview" id="overview" aria-label={t("overview")} />
        <div id="results" class="results" />
      </div>
      <Asking />
      <p class="keys" id="keys">{key("j")}{key("k")}{t("keyStatements")} · {key("n")}{key("p")}{t("keyEvidence")} · {key("/")}{t("keyQuestion")} · {key("Esc")}{t("keyClear")}</p>
    </section>
  );
}

function Viewer() {
  const sign = (id: string, mark: string, title: Key, text: Key) => <button type="button" id={id} title={t(title)}>{mark}<Unseen text={text} /></button>;
  return (
    <section class="pane" id="viewer" aria-label={t("document")}>
      <div class="tools" id="tools" hidden>
        <h2 id="shown-name" dir="auto" />
        <details class="headings" id="contents"><summary>{t("contents")}</summary><ol id="contents-list" aria-label={t("headings")} /></details>
        <button type="button" id="thumbs-open" class="quiet" aria-controls="thumbs" hidden>{t("thumbs")}</button>
        <div class="finds" role="search" aria-label={t("inDocument")}>
          <input type="search" id="find" placeholder={t("find")} aria-label={t("find")} maxLength={500} autocomplete="off" />
          <span id="find-count" />
          {sign("find-before", "‹", "previousMatchKey", "previousMatch")}
          {sign("find-after", "›", "nextMatchKey", "nextMatch")}
        </div>
        <div class="turns" role="group" aria-label={t("evidence")}>
          {sign("before", "‹", "previousEvidenceKey", "previousEvidence")}
          <span id="turn" />
          {sign("after", "›", "nextEvidenceKey", "nextEvidence")}
        </div>
        <label class="at"><Unseen text="page" /><input id="at" inputMode="numeric" size={3} autocomplete="off" /><span id="of" /></label>
        <div class="zooms" role="group" aria-label={t("size")}>
          {sign("smaller", "−", "smaller", "smaller")}
          <button type="button" id="fit" title={t("fitTitle")}>{t("fit")}</button>
          {sign("larger", "+", "larger", "larger")}
        </div>
        <button type="button" id="link" class="quiet" title={t("linkTitle")}>{t("copyLink")}</button>
      </div>
      <div class="reader">
        <nav class="thumbs" id="thumbs" aria-label={t("thumbs")} hidden><ol id="thumbs-list" /></nav>
        <div class="scroller" id="scroller" tabIndex={0} role="region" aria-label={t("pagesOfDocument")} />
      </div>
      <div class="rests" id="rests" hidden />
    </section>
  );
}

function People() {
  return (
    <dialog id="people" class="people" aria-labelledby="people-name">
      <div class="bar"><h2 id="people-name">{t("users")}</h2><button type="button" id="people-close" class="quiet" aria-label={t("close")}>×</button></div>
      <div class="wide" tabIndex={0} role="region" aria-label={t("listOfUsers")}>
        <table>
          <thead><tr><th scope="col">{t("name")}</th><th scope="col">{t("may")}</th><th scope="col">{t("lastDay")}</th><th scope="col"><Unseen text="change" /></th></tr></thead>
          <tbody id="people-list" />
        </table>
      </div>
      <div id="people-said" role="status" />
      <form id="people-new" autocomplete="off">
        <h3>{t("addUser")}</h3>
        <label>{t("name")}<input id="people-called" required maxLength={64} pattern="[A-Za-z0-9][A-Za-z0-9_.@\-]*" title={t("nameTitle")} spellcheck={false} /></label>
        <label>{t("may")}<select id="people-role" /></label>
        <label>{t("lastDay")}<input id="people-until" type="date" /></label>
        <button type="submit" class="main">{t("makeToken")}</button>
      </form>
    </dialog>
  );
}

function Token() {
  return (
    <dialog id="token" aria-labelledby="token-name">
      <form method="dialog">
        <h2 id="token-name">{t("tokenWanted")}</h2>
        <p id="token-why" />
        <p id="by-login" hidden><a class="pick" href="/auth/login">{t("logIn")}</a></p>
        <label>{t("token")}<input type="password" id="token-given" autocomplete="off" spellcheck={false} /></label>
        <p class="hint">{t("tokenKept")}</p>
        <div class="foot"><button type="submit" class="main">{t("goOn")}</button></div>
      </form>
    </dialog>
  );
}

/** Put the frame into the page. */
export function begin(): void {
  document.documentElement.lang = language;
  render(
    <>
      <p class="lost" id="lost" role="alert" hidden>{t("lost")} <button type="button" id="retry">{t("tryNow")}</button></p>
      <Top />
      <main>
        <Documents />
        <Answer />
        <Viewer />
      </main>
      <p class="live" id="live" role="status" />
      <People />
      <Token />
    </>,
    $("page"),
  );
}
