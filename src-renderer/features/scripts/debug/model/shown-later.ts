import { Store } from '../../../../support/store.ts';
import type { DebuggerState } from './debugger-state.ts';

/** A run that continues is shown as running after this time. */
const SHOWN_AS_PAUSED_MS = 100;

/** A store that follows another one: at once, except that a paused run stays paused for a moment when it continues. */
export function shownLater(store: Store<DebuggerState>): Store<DebuggerState> {
  const shown = new Store(store.get());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    clearTimeout(timer);
    timer = undefined;
    shown.set(store.get());
  };
  store.subscribe(() => {
    const isStep = store.get().phase === 'running' && shown.get().phase === 'paused';
    if (isStep) timer ??= setTimeout(show, SHOWN_AS_PAUSED_MS);
    else show();
  });
  return shown;
}
