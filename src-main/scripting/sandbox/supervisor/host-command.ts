import { readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { ConfinedCommand } from '../../../platform/os-sandbox/confined-command.ts';
import { osSandbox, type OsSandbox } from '../../../platform/os-sandbox/os-sandbox.ts';

export interface HostFiles {
  /** The bundled script host (SCRIPT_HOST_FILE). */
  hostFile: string;
  /** A Node binary whose ABI is supported by isolated-vm. */
  nodeBinary: string;
  /** The folder of the isolated-vm package; found from here by default. */
  isolatedVmFolder?: string;
  /** The time zone and the locale of scripts; by default those of the system. */
  place?: { timeZone: string; locale: string };
  /** The OS sandbox of the process; the system's own by default. */
  sandbox?: OsSandbox;
  /** The hosts run debugged scripts; none is kept while nothing runs. */
  forDebug?: boolean;
}

/**
 * The arguments of every host. `--permission` denies files, network, child processes and workers. `--allow-addons` is
 * for isolated-vm (the host drops it after loading), which also needs `--no-node-snapshot`. Collecting garbage on one
 * thread is faster for such small heaps, and leaves the other cores to other runs. Without rehashing, a fresh realm
 * takes a tenth less: hash codes are then the same in every host, and a script that makes them collide only costs its
 * own time. The host's own isolate collects its new objects every 1 MB, so that they take less memory; those of scripts
 * have more (child/realms.ts). Parts of modules and of
 * globals that the guest deletes would take a fiftieth of every realm. The permission model does not cover SQLite, which
 * opens and writes any file. asm.js would reach the compiler of WebAssembly, whose memory no limit counts. SIGUSR1 would
 * open a debugger on loopback, to every user of the machine.
 */
export const HOST_FLAGS = [
  '--no-node-snapshot',
  '--permission',
  '--allow-addons',
  '--no-experimental-sqlite',
  '--no-validate-asm',
  '--disable-sigusr1',
  '--single-threaded-gc',
  '--no-rehash-snapshot',
  '--min-semi-space-size=1',
  '--max-semi-space-size=1',
  '--no-js-source-phase-imports',
  '--no-js-atomics-pause',
  '--no-experimental-wasm-rab-integration',
  '--no-warnings',
] as const;

/** The descriptor of a host's pipe. */
export const HOST_PIPE = 3;

/** Detects the OS sandbox for script hosts: starts one, which loads isolated-vm and reports that it is ready. */
export function hostSandbox(files: HostFiles): OsSandbox {
  if (files.sandbox !== undefined) return files.sandbox;
  const command = hostCommand(files, isolatedVmOf(files), DEFAULT_SETTINGS['limits.memoryMb']);
  return osSandbox({ command, respondsOn: HOST_PIPE, keep: true });
}

/** Starts a host, which becomes the first one of a pool with the same files. */
export function startEarly(files: HostFiles): void {
  void hostSandbox(files).known;
}

/** The folder of the isolated-vm package. */
export function isolatedVmOf({ isolatedVmFolder }: HostFiles): string {
  return isolatedVmFolder ?? dirname(createRequire(import.meta.url).resolve('isolated-vm/package.json'));
}

/** Host options from the settings. */
export interface HostRules {
  /** Scripts are interpreted, never compiled to machine code. */
  jitless: boolean;
  /** No script runs unless the OS sandbox confines its host. */
  requireOsSandbox: boolean;
}

/** How a script host is started: it has its pipe, and may read its own program and isolated-vm. */
export function hostCommand(
  files: HostFiles,
  isolatedVmFolder: string,
  memoryMb: number,
  jitless = false,
): ConfinedCommand {
  return {
    binary: files.nodeBinary,
    args: [
      ...HOST_FLAGS,
      ...(jitless ? ['--jitless'] : []),
      files.hostFile,
      isolatedVmFolder,
      String(memoryMb),
      ...(files.forDebug === true ? ['debug'] : []),
    ],
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: hostEnvironment(files.place),
    readable: [files.hostFile, isolatedVmFolder],
    writable: [],
    memoryBytes: processMemory(memoryMb),
  };
}

/**
 * The system resources of a host for scripts with this limit. Main ends it well before; this stops code that takes
 * memory faster than main measures.
 */
export function processMemory(memoryMb: number): number {
  return (memoryMb + 512) * 1024 * 1024;
}

/** Linux names it in a link. Asking Intl, as for other systems, first loads its data: 10 ms of each command. */
function systemTimeZone(): string {
  if (process.platform === 'linux') {
    try {
      const [, zone] = /\/zoneinfo\/([A-Z][\w+-]*(?:\/[\w+-]+)*)$/.exec(readlinkSync('/etc/localtime')) ?? [];
      if (zone !== undefined) return zone;
    } catch {
      // There is no such link.
    }
  }
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * Empty except for the time zone, so that local times in a script are those of the plant: passed explicitly, because a
 * host cannot read the system's setting.
 */
function hostEnvironment(place: HostFiles['place']): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = place
    ? { TZ: place.timeZone.replace(/^([+-])0?(\d+):00$/, 'GMT$1$2'), LC_ALL: place.locale.replaceAll('-', '_') }
    : { TZ: process.env['TZ'] ?? systemTimeZone() };
  const systemRoot = process.env['SystemRoot'];
  if (process.platform === 'win32' && systemRoot !== undefined) environment['SystemRoot'] = systemRoot;
  return environment;
}
