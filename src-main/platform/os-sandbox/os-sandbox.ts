import type { OsSandboxLayer, OsSandboxState } from '#domain/workspace/os-sandbox';
import { messageOf } from '../errors.ts';
import type { ConfinedChild } from './confined-child.ts';
import type { ConfinedCommand } from './confined-command.ts';
import { ESSENTIAL_LAYERS, inactiveLayers, MEMORY, SCRIPT_LAYERS, type DetectedSandbox } from './layers.ts';
import { linuxSandbox } from './linux.ts';
import { macSandbox } from './mac.ts';
import { Trial, type TrialProgram } from './trial.ts';
import { windowsSandbox } from './windows.ts';
import { Wrapper } from './wrapper.ts';

/** Starts hosts as confined as this system allows, and says what that is. */
export interface OsSandbox {
  /** Settles when it has been found out what there is; hosts are started after that. Never rejects. */
  readonly known: Promise<void>;
  /** What is enforced on a host that is started now. */
  readonly state: OsSandboxState;
  spawn(command: ConfinedCommand): ConfinedChild;
}

/** `off` starts hosts as plain processes: to compare, and where something is in the way of a sandbox. */
const SWITCH = 'TAGWRIGHT_OS_SANDBOX';

/** What could not be found out in time is tried again this much later, ms. */
const AGAIN_MS = 60_000;

const sandboxes = new Map<string, OsSandbox>();

/**
 * The sandbox of this system for a program. The first call begins to try what there is by running that program in it, for
 * 10 s at most in all; later calls in this process get the same sandbox.
 */
export function osSandbox(program: TrialProgram): OsSandbox {
  const key = JSON.stringify([program.command.binary, program.command.args]);
  const sandbox = sandboxes.get(key) ?? new SystemSandbox(program, detect);
  sandboxes.set(key, sandbox);
  return sandbox;
}

/** Why hosts may not run where the setting hosts.requireOsSandbox is on; null where they may. */
export function sandboxRefusal(what: 'scripts' | 'SQL', { layers, summary }: OsSandboxState): string | null {
  const needed: readonly string[] = what === 'scripts' ? SCRIPT_LAYERS : ESSENTIAL_LAYERS;
  if (needed.every((name) => layers.some((layer) => layer.name === name && layer.active))) return null;
  return (
    `${what === 'scripts' ? 'Scripts do' : 'SQL does'} not run here: the setting hosts.requireOsSandbox asks for an OS sandbox that keeps files, network and other ` +
    `processes out of reach. ${summary} Fix that, or turn the setting off.`
  );
}

/** Plain processes, as on a system that offers nothing. */
export function withoutOsSandbox(reason: string): OsSandbox {
  return sandboxOf(plainly(reason));
}

/** A sandbox that was found. */
export function sandboxOf(found: DetectedSandbox): OsSandbox {
  return new FoundSandbox(found);
}

type Detect = (trial: Trial) => Promise<DetectedSandbox>;

async function detect(trial: Trial): Promise<DetectedSandbox> {
  if (process.env[SWITCH] === 'off') return plainly(`it is switched off by ${SWITCH}=off`);
  if (process.platform === 'linux') return linuxSandbox(trial);
  if (process.platform === 'darwin') return macSandbox(trial);
  if (process.platform === 'win32') return windowsSandbox(trial);
  return plainly(`Tagwright knows no sandbox of ${process.platform}`);
}

function plainly(reason: string): DetectedSandbox {
  return { wrapper: Wrapper.none(), layers: inactiveLayers(reason) };
}

/** Hosts in the sandbox that was found, and as plain processes from the first on that it could not hold. */
class FoundSandbox implements OsSandbox {
  readonly known = Promise.resolve();
  #wrapper: Wrapper;
  #state: OsSandboxState;

  constructor({ wrapper, layers }: DetectedSandbox) {
    this.#wrapper = wrapper;
    this.#state = stateOf(layers);
  }

  get state(): OsSandboxState {
    return this.#state;
  }

  spawn(command: ConfinedCommand): ConfinedChild {
    const child = this.#wrapper.spawn(command);
    if (child.problem !== null) {
      this.#wrapper = Wrapper.none();
      this.#state = stateOf(inactiveLayers(`a host could not be confined and was ended (${child.problem})`));
    }
    return child;
  }
}

/** What this system offers, found out beside other work; found out again where that took too long. */
export class SystemSandbox implements OsSandbox {
  readonly known: Promise<void>;
  readonly #program: TrialProgram;
  readonly #detect: Detect;
  readonly #times: { patienceMs?: number; againMs: number };
  #found: OsSandbox | null = null;

  /** @param detect never rejects for what the system does */
  constructor(
    program: TrialProgram,
    detectBy: Detect,
    times: { patienceMs?: number; againMs: number } = { againMs: AGAIN_MS },
  ) {
    this.#program = program;
    this.#detect = detectBy;
    this.#times = times;
    this.known = this.#find();
  }

  get state(): OsSandboxState {
    return this.#found?.state ?? stateOf(inactiveLayers('Tagwright is finding out what works here'));
  }

  spawn(command: ConfinedCommand): ConfinedChild {
    if (this.#found === null) throw new Error('a host was started before it was known what confines it');
    return this.#found.spawn(command);
  }

  async #find(): Promise<void> {
    const trial = new Trial(this.#program, this.#times.patienceMs);
    try {
      this.#found = sandboxOf(await this.#detect(trial));
    } catch (thrown) {
      this.#found = withoutOsSandbox(messageOf(thrown));
    }
    if (trial.timedOut) setTimeout(() => void this.#find(), this.#times.againMs).unref();
  }
}

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
};

function stateOf(layers: OsSandboxLayer[]): OsSandboxState {
  const essential = ESSENTIAL_LAYERS.flatMap((name) => layers.find((layer) => layer.name === name) ?? []);
  const missing = essential.filter(({ active }) => !active);
  // Memory is always limited.
  const some = layers.some(({ name, active }) => active && name !== MEMORY.name);
  const protection = missing.length === 0 ? 'full' : some ? 'partial' : 'none';
  return {
    system: SYSTEMS[process.platform] ?? process.platform,
    protection,
    layers,
    summary: summaryOf(protection, missing),
  };
}

function summaryOf(protection: OsSandboxState['protection'], missing: readonly OsSandboxLayer[]): string {
  if (protection === 'full') return 'Active: hosts reach no files, no network and no other processes.';
  const reason = missing[0]?.reason ?? '';
  if (protection === 'none') return `Not active: ${reason}.`;
  const names = new Intl.ListFormat('en').format(missing.map(({ name }) => name.toLowerCase()));
  return `Partly active, not for ${names}: ${reason}.`;
}
