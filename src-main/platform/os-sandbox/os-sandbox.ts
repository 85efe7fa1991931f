import type { OsSandboxLayer, OsSandboxState } from '#domain/workspace/os-sandbox';
import { messageOf } from '../errors.ts';
import { Listeners } from '../events.ts';
import type { ConfinedChild } from './confined-child.ts';
import type { ConfinedCommand } from './confined-command.ts';
import { ESSENTIAL_LAYERS, inactiveLayers, MEMORY, SCRIPT_LAYERS, type DetectedSandbox } from './layers.ts';
import { linuxSandbox } from './linux.ts';
import { macSandbox } from './mac.ts';
import { Trial, type KeptHost, type TrialProgram } from './trial.ts';
import { windowsSandbox } from './windows.ts';
import { Wrapper } from './wrapper.ts';

/** Starts hosts as confined as this system allows, and describes the result. */
export interface OsSandbox {
  /** Settles when the protection is known; hosts are started after that. Reading it begins to detect. Never rejects. */
  readonly known: Promise<void>;
  /** The restrictions on a host that is started now. */
  readonly state: OsSandboxState;
  /** Called when the state has changed after it was known; the returned function removes the listener. */
  onChange(listener: () => void): () => void;
  spawn(command: ConfinedCommand): ConfinedChild;
}

/** `off` starts hosts as plain processes: for comparisons, and if something prevents a sandbox. */
const SWITCH = 'TAGWRIGHT_OS_SANDBOX';

/** Delay before a detection is repeated, ms. */
const AGAIN_MS = 60_000;

const sandboxes = new Map<string, OsSandbox>();

/**
 * The sandbox of this system for a program. It tries the available protections by running that program in them, for
 * 10 s at most in total; later calls in this process get the same sandbox.
 */
export function osSandbox(program: TrialProgram): OsSandbox {
  const key = JSON.stringify([program.command.binary, program.command.args]);
  const sandbox = sandboxes.get(key) ?? new SystemSandbox(program, detect);
  sandboxes.set(key, sandbox);
  return sandbox;
}

/** Whether a host that was started in one state is as confined as one that is started in the other. */
export function isAsConfined(host: OsSandboxState, other: OsSandboxState): boolean {
  const active = new Set(host.layers.filter((layer) => layer.active).map(({ name }) => name));
  return other.layers.every((layer) => !layer.active || active.has(layer.name));
}

/** Why hosts may not run if the setting hosts.requireOsSandbox is on; null if they may. */
export function sandboxRefusal(what: 'scripts' | 'SQL', { layers, summary }: OsSandboxState): string | null {
  const needed: readonly string[] = what === 'scripts' ? SCRIPT_LAYERS : ESSENTIAL_LAYERS;
  if (needed.every((name) => layers.some((layer) => layer.name === name && layer.active))) return null;
  return (
    `${what === 'scripts' ? 'Scripts do' : 'SQL does'} not run here: the setting hosts.requireOsSandbox asks for an OS sandbox that keeps files, network and other ` +
    `processes out of reach. ${summary} Fix that, or turn the setting off.`
  );
}

/** Plain processes, as on a system without any protection. */
export function withoutOsSandbox(reason: string): OsSandbox {
  return sandboxOf(plainly(reason));
}

/** A detected sandbox. */
export function sandboxOf(found: DetectedSandbox): OsSandbox {
  return new FoundSandbox(found, null);
}

type Detect = (trial: Trial) => Promise<DetectedSandbox>;

async function detect(trial: Trial): Promise<DetectedSandbox> {
  if (process.env[SWITCH] === 'off') return plainly(`it is switched off by ${SWITCH}=off`);
  if (process.platform === 'linux') return linuxSandbox(trial);
  if (process.platform === 'darwin') return macSandbox(trial);
  if (process.platform === 'win32') return windowsSandbox(trial);
  return plainly(`Tagwright supports no OS sandbox on ${process.platform}`);
}

function plainly(reason: string): DetectedSandbox {
  return { wrapper: Wrapper.none(), layers: inactiveLayers(reason) };
}

/** Hosts in the detected sandbox, and as plain processes after the first one that it failed to confine. */
class FoundSandbox implements OsSandbox {
  readonly known = Promise.resolve();
  readonly #changed = new Listeners<void>();
  #wrapper: Wrapper;
  #state: OsSandboxState;
  readonly #kept: KeptHost | null;

  /** @param kept a host that runs in this sandbox already */
  constructor({ wrapper, layers }: DetectedSandbox, kept: KeptHost | null) {
    this.#wrapper = wrapper;
    this.#kept = kept;
    this.#state = stateOf(layers);
  }

  get state(): OsSandboxState {
    return this.#state;
  }

  onChange(listener: () => void): () => void {
    return this.#changed.add(listener);
  }

  spawn(command: ConfinedCommand): ConfinedChild {
    const child = this.#kept?.take(command) ?? this.#wrapper.spawn(command);
    if (child.problem !== null) {
      this.dispose();
      this.#wrapper = Wrapper.none();
      this.#state = stateOf(inactiveLayers(`a host could not be confined and was ended (${child.problem})`));
      this.#changed.emit();
    }
    return child;
  }

  /** It is replaced by another one. */
  dispose(): void {
    this.#kept?.end();
    this.#wrapper.dispose();
  }
}

/**
 * The protection of this system, detected when it is needed first; repeated if that timed out, or if a host could not be
 * confined later.
 */
export class SystemSandbox implements OsSandbox {
  readonly #program: TrialProgram;
  readonly #detect: Detect;
  readonly #times: { patienceMs?: number; againMs: number };
  readonly #changed = new Listeners<void>();
  #found: FoundSandbox | null = null;
  #known: Promise<void> | null = null;

  /** @param detect never rejects because of the system */
  constructor(
    program: TrialProgram,
    detectBy: Detect,
    times: { patienceMs?: number; againMs: number } = { againMs: AGAIN_MS },
  ) {
    this.#program = program;
    this.#detect = detectBy;
    this.#times = times;
  }

  get known(): Promise<void> {
    return (this.#known ??= this.#find());
  }

  get state(): OsSandboxState {
    return this.#found?.state ?? stateOf(inactiveLayers('Tagwright is detecting the OS sandbox'));
  }

  onChange(listener: () => void): () => void {
    return this.#changed.add(listener);
  }

  spawn(command: ConfinedCommand): ConfinedChild {
    if (this.#found === null) throw new Error('a host was started before the OS sandbox was detected');
    return this.#found.spawn(command);
  }

  async #find(): Promise<void> {
    const trial = new Trial(this.#program, this.#times.patienceMs);
    const isRepeated = this.#found !== null;
    const found = await this.#detect(trial).catch((thrown: unknown) => plainly(messageOf(thrown)));
    this.#found?.dispose();
    this.#found = new FoundSandbox(found, trial.kept);
    // A host could not be confined.
    this.#found.onChange(() => {
      this.#findLater();
      this.#changed.emit();
    });
    if (isRepeated) this.#changed.emit();
    if (trial.worthRetrying) this.#findLater();
  }

  #findLater(): void {
    setTimeout(() => void this.#find(), this.#times.againMs).unref();
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
