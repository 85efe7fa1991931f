import { useEffect, useRef } from 'react';
import type { RunContext } from '#domain/run/run';
import { remember } from '../../../support/local-storage.ts';
import { useStore } from '../../../support/store.ts';
import type { Doc } from '../model/doc.ts';
import { NO_LIVE_RUN } from '../model/live.ts';
import type { LiveState } from '../model/live.ts';
import { useScripts } from '../scripts-context.ts';

/** The live runs of an open script; `context` is null while the typed one is invalid. */
export function useLive(
  { editor: key, text: { body } }: Doc,
  context: RunContext | null,
): { on: boolean; turn: (on: boolean) => void; state: LiveState } {
  const { live, liveOn } = useScripts();
  const on = useStore(liveOn);
  const state = useStore(live.store, (all) => all.get(key) ?? NO_LIVE_RUN);
  const contextText = JSON.stringify(context);
  // The initial text is not run before the first change.
  const known = useRef({ body, contextText });

  useEffect(() => {
    const { current } = known;
    if (current.body === body && current.contextText === contextText) return;
    known.current = { body, contextText };
    const given: RunContext | null = JSON.parse(contextText);
    if (!on || !given) live.cancel(key);
    else if (body.trim() === '') live.forget(key);
    else live.soon(key, { body, context: given });
  }, [live, key, body, contextText, on]);

  const turn = (next: boolean) => {
    remember('preview.live', next);
    liveOn.set(next);
    if (!next) live.forget(key);
    else if (context && body.trim() !== '') live.soon(key, { body, context });
  };
  return { on, turn, state };
}
