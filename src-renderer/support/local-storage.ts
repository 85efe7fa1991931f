/**
 * Storage in this browser, or with `sessionStorage` in this window; if it is full or denied, values are lost, but
 * nothing fails. A stored value of another kind than the fallback (not an array, not a number) is ignored, because other
 * versions, extensions and people can write here, too. Members and elements are for the caller to check.
 */
export function remembered<T>(key: string, fallback: T, storage?: Storage): T {
  try {
    const text = (storage ?? localStorage).getItem(`tagwright.${key}`);
    if (text === null) return fallback;
    const value: T = JSON.parse(text);
    return fallback === null || kindOf(value) === kindOf(fallback) ? value : fallback;
  } catch {
    return fallback;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Calls `changed` when another window of this browser stores the value; returns how to stop that. */
export function onRemembered(key: string, changed: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.storageArea === localStorage && event.key === `tagwright.${key}`) changed();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
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
