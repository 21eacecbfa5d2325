// Which language the page speaks, and its texts by name. A text is only ever looked up by its key: words of a document
// could be the same as a text.
import { TEXTS } from "./texts";

export type Key = keyof typeof TEXTS;
const LANGUAGES = ["en", "de"] as const;
type Language = (typeof LANGUAGES)[number];
const KEPT = "citewell-language";

const known = (name: string | null | undefined) => LANGUAGES.find((language) => language === name?.slice(0, 2).toLowerCase());

/** What was chosen here, else the first of the browser's languages that the page speaks, else English. */
export const language: Language = known(localStorage.getItem(KEPT)) ?? navigator.languages.map(known).find(Boolean) ?? "en";

/** The other language, by its own name. */
export const other: Language = language === "en" ? "de" : "en";

/** Speak the other one: the page begins anew, where it was. */
export function turnLanguage(): void {
  localStorage.setItem(KEPT, other);
  location.reload();
}

const whole = new Intl.NumberFormat(language);
const shares = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });

export const number = (value: number): string => whole.format(value);
export const percent = (share: number): string => shares.format(share);

/** A text with its values filled in; of `one|many` the form for the number `n`. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const [single, many] = TEXTS[key][LANGUAGES.indexOf(language)].split("|");
  const form = many === undefined || values.n === 1 ? single : many;
  return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? number(value) : value;
  });
}

/** Whether there is a text of this name, for names that come from the service. */
export const spoken = (key: string): key is Key => Object.hasOwn(TEXTS, key);
