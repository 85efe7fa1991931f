/** Storage in this browser or window; if it is full or denied, values are lost, but nothing fails. */
export function remembered<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`tagwright.${key}`);
    if (text === null) return fallback;
    const value: T = JSON.parse(text);
    return value;
  } catch {
    return fallback;
  }
}

/** Stores a JSON-like value; null removes it. Returns whether it was stored. */
export function remember(key: string, value: unknown): boolean {
  try {
    if (value === null) localStorage.removeItem(`tagwright.${key}`);
    else localStorage.setItem(`tagwright.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
