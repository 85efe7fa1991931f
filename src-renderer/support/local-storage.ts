/**
 * Storage in this browser, or with `sessionStorage` in this window; if it is full or denied, values are lost, but
 * nothing fails.
 */
export function remembered<T>(key: string, fallback: T, storage?: Storage): T {
  try {
    const text = (storage ?? localStorage).getItem(`tagwright.${key}`);
    if (text === null) return fallback;
    const value: T = JSON.parse(text);
    return value;
  } catch {
    return fallback;
  }
}

/** Stores a JSON-like value; null removes it. Returns whether it was stored. */
export function remember(key: string, value: unknown, storage?: Storage): boolean {
  try {
    const place = storage ?? localStorage;
    if (value === null) place.removeItem(`tagwright.${key}`);
    else place.setItem(`tagwright.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** The keys of stored values that begin like this. */
export function rememberedKeys(prefix: string): string[] {
  try {
    const names = Array.from({ length: localStorage.length }, (_, place) => localStorage.key(place) ?? '');
    const start = `tagwright.${prefix}`;
    return names.filter((name) => name.startsWith(start)).map((name) => name.slice('tagwright.'.length));
  } catch {
    return [];
  }
}
