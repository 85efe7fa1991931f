/** The guest of a run that is debugged or notes its values: the usual one, with these parts. */
import type { GuestDebug, GuestNotes } from '../../protocol/debug.ts';
import { useDebugger } from '../index.ts';
import { Debugger } from './debugger.ts';
import { restoreTexts } from './original-texts.ts';
import { hasOwn } from '../primordials.ts';
import { trackProxies } from './tracked-proxies.ts';
import { ValueNotes } from './value-notes.ts';

useDebugger((debug) => {
  restoreTexts(debug.token);
  return isNotes(debug) ? new ValueNotes(debug) : new Debugger(debug);
});
trackProxies();

function isNotes(debug: GuestDebug | GuestNotes): debug is GuestNotes {
  return hasOwn(debug, 'variables');
}
