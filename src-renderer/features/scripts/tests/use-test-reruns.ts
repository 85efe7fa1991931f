import { useEffect, useRef } from 'react';
import { useStore } from '../../../support/store.ts';
import { useScripts } from '../scripts-context.ts';

/** The pause after the last change, ms. */
const AFTER_MS = 800;

/** Runs the tests of the open script again after changes of its text or of the tests, while that is on. */
export function useTestReruns(scriptId: number | null, body: string, active: boolean): void {
  const { tests, testsOn } = useScripts();
  const on = useStore(testsOn);
  const saved = useStore(tests.store, ({ tests: all }) =>
    scriptId === null ? '' : (all?.get(scriptId) ?? []).map(({ id, savedAt }) => `${id} ${savedAt}`).join(),
  );
  const isIdle = useStore(tests.store, ({ running }) => running === null);
  const ran = useRef({ on: false, body, saved });
  useEffect(() => {
    const { current } = ran;
    if (!on || !active || scriptId === null || saved === '') {
      ran.current = { on: false, body, saved };
      return undefined;
    }
    if (current.on && current.body === body && current.saved === saved) return undefined;
    const timer = setTimeout(() => {
      // The newest text counts: what an older one still runs is cancelled, and this effect runs again when it has ended.
      if (!isIdle) return tests.store.get().series?.all ? undefined : tests.cancel();
      ran.current = { on: true, body, saved };
      return void tests.run(tests.of(scriptId));
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [tests, on, active, scriptId, body, saved, isIdle]);
}
