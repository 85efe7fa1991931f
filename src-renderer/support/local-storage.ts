/** What is remembered in this browser or window; a full or forbidden storage loses the memory, never the program. */
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

/** Remembers a JSON-like value; null forgets it. Returns whether it was kept. */
export function remember(key: string, value: unknown): boolean {
  try {
    if (value === null) localStorage.removeItem(`tagwright.${key}`);
    else localStorage.setItem(`tagwright.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
