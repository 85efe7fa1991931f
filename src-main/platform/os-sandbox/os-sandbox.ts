import type { OsSandboxLayer, OsSandboxState } from '#domain/workspace/os-sandbox';
import type { ConfinedChild } from './confined-child.ts';
import type { ConfinedCommand } from './confined-command.ts';
import { ESSENTIAL_LAYERS, inactiveLayers, MEMORY, SCRIPT_LAYERS, type DetectedSandbox } from './layers.ts';
import { linuxSandbox } from './linux.ts';
import { macSandbox } from './mac.ts';
import { windowsSandbox } from './windows.ts';
import { Wrapper } from './wrapper.ts';

/** Starts hosts as confined as this system allows, and says what that is. */
export interface OsSandbox {
  readonly state: OsSandboxState;
  spawn(command: ConfinedCommand): ConfinedChild;
}

/** `off` starts hosts as plain processes: to compare, and where something is in the way of a sandbox. */
const SWITCH = 'TAGWRIGHT_OS_SANDBOX';

const known = new Map<string, OsSandbox>();

/**
 * The sandbox of this system for a Node binary. The first call tries what there is by running that binary in it (about
 * 25 ms); later calls in this process get the same answer.
 */
export function osSandbox(binary: string): OsSandbox {
  const found = known.get(binary) ?? detect(binary);
  known.set(binary, found);
  return found;
}

/** What the operating system enforces on the hosts that this Node binary runs. Never rejects. */
export function osSandboxState(binary: string): Promise<OsSandboxState> {
  return Promise.resolve(osSandbox(binary).state);
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
  return sandboxOf({ wrapper: Wrapper.none(), layers: inactiveLayers(reason) });
}

function detect(binary: string): OsSandbox {
  if (process.env[SWITCH] === 'off') return withoutOsSandbox(`it is switched off by ${SWITCH}=off`);
  if (process.platform === 'linux') return sandboxOf(linuxSandbox(binary));
  if (process.platform === 'darwin') return sandboxOf(macSandbox(binary));
  if (process.platform === 'win32') return sandboxOf(windowsSandbox());
  return withoutOsSandbox(`Tagwright knows no sandbox of ${process.platform}`);
}

/** Hosts in the sandbox that was found, and as plain processes from the first on that it could not hold. */
export function sandboxOf(found: DetectedSandbox): OsSandbox {
  let [wrapper, state] = [found.wrapper, stateOf(found.layers)];
  return {
    get state() {
      return state;
    },
    spawn(command) {
      const child = wrapper.spawn(command);
      if (child.problem !== null) {
        wrapper = Wrapper.none();
        state = stateOf(inactiveLayers(`a host could not be confined and was ended (${child.problem})`));
      }
      return child;
    },
  };
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
