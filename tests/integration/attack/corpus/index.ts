import { ABORT } from './abort.ts';
import type { Attack } from './attack.ts';
import { CPU } from './cpu.ts';
import { ESCAPE } from './escape.ts';
import { GLOBALS } from './globals.ts';
import { HOST_CALLS } from './host-calls.ts';
import { MEMORY } from './memory.ts';
import { POISONING } from './poisoning.ts';
import { RESULTS } from './results.ts';
import { SYNTAX } from './syntax.ts';

/** Every known hostile script, by its target. */
export const CORPUS: Readonly<Record<string, readonly Attack[]>> = {
  'script time': CPU,
  memory: MEMORY,
  'the process': ABORT,
  'a way out': ESCAPE,
  'what others stand on': POISONING,
  'results and errors': RESULTS,
  'host calls': HOST_CALLS,
  'standard globals': GLOBALS,
  syntax: SYNTAX,
};
