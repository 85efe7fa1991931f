import { useLayoutEffect, useRef } from 'react';
import type { Command, CommandRegistry } from './commands.ts';
import type { View } from '../view.ts';
import { useWorkbench } from '../workbench.ts';

const LOOK_MS = 30;
/** A newly opened view is mounted by then. */
const MOST_LOOKS = 400;

/** The commands that views offer while another one is visible: each shows its view, and then runs there. */
export function useOffers(views: readonly View[], current: string): Command[] {
  const { commands, show } = useWorkbench();
  const seen = useRef(current);
  useLayoutEffect(() => {
    seen.current = current;
  });
  return views
    .filter((view) => view.id !== current)
    .flatMap((view) =>
      (view.offers ?? []).map(({ id, title, keys }) => ({
        // Its own command: of several with one id, the enabled one.
        id,
        section: view.title,
        title,
        ...(keys !== undefined && { keys }),
        elsewhere: true,
        run: () => {
          show(view.id);
          runWhenRegistered(commands, id, () => seen.current === view.id);
        },
      })),
    );
}

/** Runs a command of a view that is opening; does nothing if the user has left the view. */
function runWhenRegistered(commands: CommandRegistry, id: string, isSeen: () => boolean): void {
  let looks = 0;
  let wasSeen = false;
  const timer = setInterval(() => {
    looks += 1;
    const sees = isSeen();
    const ends = (wasSeen && !sees) || (sees && commands.run(id)) || looks === MOST_LOOKS;
    if (ends) clearInterval(timer);
    wasSeen = sees;
  }, LOOK_MS);
}
