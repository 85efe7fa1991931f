import { type RunStart, TO_HOST } from '../protocol/messages.ts';
import type { Realms } from './realms.ts';
import { run, type RunPipe } from './run.ts';

/** What most scripts use: a Get, the clock, a random number, the console and a result. */
export const WARM_UP = `const { Value } = TagValueManager.Get(['warm-up']);
console.log(Value[0], { at: new Date(), random: Math.random() });
return [0];
`;

const START: RunStart = {
  body: WARM_UP,
  context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null },
  limits: { scriptMs: 60_000, memoryMb: 0, consoleEntries: 10, resultBytes: 1_000 },
  recorded: { seed: '0'.repeat(64) },
};

const READ = { values: [0], qualities: ['Good'], types: ['Double'] };

/** Main hears nothing of the run, whose Get has the same answer in every host. */
const NOWHERE: RunPipe = {
  write: () => undefined,
  hold: () => undefined,
  readBytes: () => null,
  read: () => ({ type: TO_HOST.response, text: JSON.stringify({ value: READ }) }),
};

/**
 * Runs a script before main sends one. The engine compiles a function on its first call: for those of this program and of the
 * guest, that would be script time of the first run.
 */
export function warmUp(realms: Realms, memoryMb: number): void {
  const end = run({ ...START, limits: { ...START.limits, memoryMb } }, realms, NOWHERE);
  if (end.realm !== null) realms.release(end.realm, end.threw);
  realms.prepare();
}
