// The address of the page says what is shown, so that Back, a reload and a link lead to the same place.

/** What the address names, by name. */
export const named = () => new URLSearchParams(location.hash.slice(1));

/** Name something in the address, or no longer where the value is null; `again` leaves no step for Back. */
export function name(values: Record<string, string | null | undefined>, again = false) {
  const told = named();
  for (const [key, value] of Object.entries(values)) {
    if (value === null || value === undefined) told.delete(key);
    else told.set(key, value);
  }
  const hash = String(told) ? `#${told}` : location.pathname;
  if (hash === location.hash || (hash === location.pathname && !location.hash)) return;
  if (again) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
}

const kept = (key) => `citewell ${key}`;

/** What this tab remembers over a reload. */
export function recall(key, otherwise) {
  try {
    return JSON.parse(sessionStorage.getItem(kept(key))) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    sessionStorage.setItem(kept(key), JSON.stringify(value));
  } catch {
    // a browser that keeps nothing: a reload starts anew
  }
}
