import { existsSync } from 'node:fs';
import { active, ESSENTIAL_LAYERS, inactive, inactiveLayers, MEMORY, type DetectedSandbox } from './layers.ts';
import { seatbelted } from './seatbelt.ts';
import type { Trial } from './trial.ts';
import { Wrapper } from './wrapper.ts';

const PROGRAM = '/usr/bin/sandbox-exec';

/** sandbox-exec, which Apple calls deprecated but ships and uses. */
export async function macSandbox(trial: Trial): Promise<DetectedSandbox> {
  const wrapper = existsSync(PROGRAM)
    ? await Wrapper.attempt(trial, { wrap: (command) => seatbelted(command, PROGRAM) })
    : { reason: 'sandbox-exec is not there' };
  if (!(wrapper instanceof Wrapper)) {
    const reason = `sandbox-exec does not work here (${wrapper.reason})`;
    return { wrapper: Wrapper.none(), layers: inactiveLayers(reason) };
  }
  return {
    wrapper,
    layers: [
      ...ESSENTIAL_LAYERS.map((name) =>
        active(name, 'sandbox-exec: all is denied but Node and the program of the host'),
      ),
      inactive('System calls', 'macOS offers no filter of system calls'),
      MEMORY,
    ],
  };
}
