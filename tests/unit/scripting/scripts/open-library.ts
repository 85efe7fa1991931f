import { onTestFinished } from 'vitest';
import { ScriptLibrary } from '../../../../src-main/scripting/scripts/script-library.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

/** A library in a separate workspace, with the notifications to its listeners. */
export function openLibrary() {
  const clock = new FakeClock();
  const store = openStore(temporaryFolder(), { clock });
  onTestFinished(() => store.close());
  const library = new ScriptLibrary(store, 'jane');
  const changes: (number | null)[] = [];
  library.onChange(({ scriptId }) => changes.push(scriptId));
  return { library, store, clock, changes };
}

/** The text of a script named "Packing/Check". */
export const CHECK = { group: 'Packing', name: 'Check', description: 'Checks the line', body: 'return 1;' };
