import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { scriptHostsOf } from '../../support/product/processes.ts';
import type { Bench, Finding } from '../bench.ts';
import { median } from '../compare.ts';

const HEADLESS = resolve(import.meta.dirname, '../../../out/main/headless.js');
/** The engine returns the memory of the start within a minute. */
const REST_MS = 60_000;
const WAITING = 'setInterval(() => undefined, 1e6)';

/** Memory of a process in MB: resident, as the limits of the product count it, and its share of shared pages. */
interface Memory {
  resident: number;
  share: number;
}

function memoryOf(pid: number | undefined): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1_024;
  return { resident: mb('Rss'), share: mb('Pss') };
}

interface AtRest {
  main: Memory;
  host: Memory;
  /** Node without any program, and with the option that isolated-vm needs. */
  bare: Memory;
  bareHost: Memory;
}

let measured: Promise<AtRest> | null = null;

/** Both processes of an instance that serves the sample and does nothing else, and bare ones at the same time. */
async function measure(): Promise<AtRest> {
  const directory = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  const start = (args: string[]) => spawn(process.execPath, args, { stdio: 'ignore' });
  const serving = start(['--disable-sigusr1', HEADLESS, 'serve', '--workspace', join(directory, 'w'), '--port', '0']);
  const bare = start(['-e', WAITING]);
  const bareHost = start(['--no-node-snapshot', '-e', WAITING]);
  const ended = async (child: ChildProcess) => {
    if (child.exitCode === null) await once(child, 'exit');
  };
  try {
    await wait(REST_MS);
    const hosts = scriptHostsOf(serving.pid ?? 0).map(memoryOf);
    const medianOf = (part: keyof Memory) => median(hosts.map((host) => host[part]));
    return {
      main: memoryOf(serving.pid),
      host: { resident: medianOf('resident'), share: medianOf('share') },
      bare: memoryOf(bare.pid),
      bareHost: memoryOf(bareHost.pid),
    };
  } finally {
    for (const child of [serving, bare, bareHost]) child.kill();
    await Promise.all([serving, bare, bareHost].map(ended));
    rmSync(directory, { recursive: true, force: true });
  }
}

const text = ({ resident, share }: Memory) => `${resident.toFixed(0)} MB, its share ${share.toFixed(0)} MB`;

function atRest(name: string, most: number, found: (memory: AtRest) => Finding): Bench {
  return {
    area: 'memory',
    name,
    unit: 'MB',
    goal: { atMost: most },
    run: async () => found(await (measured ??= measure())),
  };
}

export const benches: Bench[] = [
  atRest('main at rest with the sample, resident', 120, ({ main, bare }) => ({
    figure: main.resident,
    detail: `${text(main)}; bare Node: ${text(bare)}`,
  })),
  atRest('a script host at rest with the sample, resident', 45, ({ host, bareHost }) => ({
    figure: host.resident,
    detail: `${text(host)}; bare Node with the option that isolated-vm needs: ${text(bareHost)}`,
  })),
];
