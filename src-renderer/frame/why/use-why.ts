import { useCallback, useContext, useLayoutEffect, useRef, useState } from 'react';
import type { Scope } from '#domain/tag/scope';
import { ViewContext, useWorkbench } from '../workbench.ts';

/** A thing to explain, such as `event:12` (`thingOf`). */
export interface WhySubject {
  thing: string;
  /** Its state at that time, RFC 3339; now unless given. */
  at?: string;
  /** For a tag, the scope that shows the value; omitted, the last value in any scope. */
  scope?: Scope;
}

const isSame = (a: WhySubject, b: WhySubject): boolean =>
  a.thing === b.thing &&
  a.at === b.at &&
  a.scope?.diagram === b.scope?.diagram &&
  a.scope?.location === b.scope?.location;

interface WhyPlace {
  subject: WhySubject;
  /** The line that gets the focus. */
  line: number;
}

const MOST_PLACES = 100;

/** The pane that explains things: its subject, and how it moves. */
export interface WhyControl {
  /** null while the pane is closed. */
  place: WhyPlace | null;
  /** Counts what the user opened; each one is read again and gets the focus. */
  visits: number;
  canGoBack: boolean;
  open: (subject: WhySubject) => void;
  /** Opens what a line is about. */
  follow: (subject: WhySubject, line: number) => void;
  back: () => void;
  again: () => void;
  /** Returns the focus to the element that had it. */
  close: () => void;
}

export function useWhy(): WhyControl {
  const [shown, setShown] = useState<{ places: readonly WhyPlace[]; visits: number } | null>(null);
  const origin = useRef<Element | null>(null);
  const open = useCallback((subject: WhySubject) => {
    const { activeElement } = document;
    if (!activeElement?.closest('[data-pane="why"]')) origin.current = activeElement;
    setShown((now) => {
      const last = now?.places.at(-1);
      const before = now?.places ?? [];
      const places = last && isSame(last.subject, subject) ? before : [...before, { subject, line: 0 }];
      return { places: places.slice(-MOST_PLACES), visits: (now?.visits ?? 0) + 1 };
    });
  }, []);
  const follow = useCallback((subject: WhySubject, line: number) => {
    setShown((now) => {
      const last = now?.places.at(-1);
      if (!now || !last) return now;
      const places = [...now.places.slice(0, -1), { ...last, line }, { subject, line: 0 }];
      return { places: places.slice(-MOST_PLACES), visits: now.visits + 1 };
    });
  }, []);
  const back = useCallback(() => {
    setShown((now) =>
      now && now.places.length > 1 ? { places: now.places.slice(0, -1), visits: now.visits + 1 } : now,
    );
  }, []);
  const again = useCallback(() => setShown((now) => now && { ...now, visits: now.visits + 1 }), []);
  const close = useCallback(() => {
    setShown(null);
    const { current } = origin;
    origin.current = null;
    if (current instanceof HTMLElement && current.isConnected) setTimeout(() => current.focus(), 0);
  }, []);
  return {
    place: shown?.places.at(-1) ?? null,
    visits: shown?.visits ?? 0,
    canGoBack: (shown?.places.length ?? 0) > 1,
    open,
    follow,
    back,
    again,
    close,
  };
}

/** The subject of the element with the focus: its attributes (`subjectAttributes`), or those of what contains it. */
export function focusedSubject(): WhySubject | null {
  const element = document.activeElement?.closest('[data-why]');
  const of = (name: string) => element?.getAttribute(`data-why${name}`) ?? null;
  const [thing, at, diagram, location] = [of(''), of('-at'), of('-diagram'), of('-location')];
  if (!thing) return null;
  return {
    thing,
    ...(at && { at }),
    ...(diagram !== null && location !== null && { scope: { diagram, location } }),
  };
}

/**
 * What *Why?* explains in a view, unless the element with the focus is about another thing; null for nothing. A text is a
 * thing.
 */
export function useWhySubject(wanted: string | WhySubject | null, active: boolean): void {
  const { whySubjects } = useWorkbench();
  const view = useContext(ViewContext);
  const thing = typeof wanted === 'string' ? wanted : (wanted?.thing ?? null);
  const scope = typeof wanted === 'string' ? undefined : wanted?.scope;
  const { diagram, location } = scope ?? {};
  useLayoutEffect(() => {
    if (!active || thing === null) return undefined;
    const isScoped = diagram !== undefined && location !== undefined;
    const subject: WhySubject = { thing, ...(isScoped && { scope: { diagram, location } }) };
    whySubjects.update((all) => ({ ...all, [view]: subject }));
    return () => whySubjects.update((all) => (all[view] === subject ? { ...all, [view]: null } : all));
  }, [whySubjects, view, thing, diagram, location, active]);
}
