import { useCallback, useState } from 'react';
import type { Help } from './places.ts';
import { HELP } from './places.ts';

interface OpenHelp {
  /** Visited places, oldest first, and the index of the shown one. */
  places: readonly string[];
  at: number;
  /** Counts the user's navigations; each one moves the focus. */
  visits: number;
}

const MOST_PLACES = 100;

/** The pane of the manual: its place, and how it moves. */
export interface HelpControl {
  /** null while the pane is closed. */
  place: string | null;
  visits: number;
  canGoBack: boolean;
  open: (place: string) => void;
  /** Replaces the shown place without moving the focus. */
  follow: (from: string, to: string) => void;
  back: () => void;
  close: () => void;
}

export function useHelp(): HelpControl {
  const [shown, setShown] = useState<OpenHelp | null>(null);
  const open = useCallback((place: string) => {
    setShown((now) => {
      const visited = now?.places.slice(0, now.at + 1) ?? [];
      const places = visited.at(-1) === place ? visited : [...visited, place].slice(-MOST_PLACES);
      return { places, at: places.length - 1, visits: (now?.visits ?? 0) + 1 };
    });
  }, []);
  const follow = useCallback((from: string, to: string) => {
    setShown((now) => (now?.places[now.at] === from ? { ...now, places: [...now.places.slice(0, now.at), to] } : now));
  }, []);
  const back = useCallback(() => {
    setShown((now) => now && { ...now, at: Math.max(0, now.at - 1), visits: now.visits + 1 });
  }, []);
  const close = useCallback(() => setShown(null), []);
  return {
    place: shown?.places[shown.at] ?? null,
    visits: shown?.visits ?? 0,
    canGoBack: (shown?.at ?? 0) > 0,
    open,
    follow,
    back,
    close,
  };
}

/** The help for the pane or field with the focus: its `data-help`, or that of what contains it. */
export function focusedHelp(): string | null {
  const name = document.activeElement?.closest('[data-help]')?.getAttribute('data-help') ?? '';
  return isHelp(name) ? HELP[name] : null;
}

function isHelp(name: string): name is Help {
  return Object.hasOwn(HELP, name);
}
