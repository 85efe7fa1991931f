import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Bench } from './bench.ts';
import { median, timesOf } from './compare.ts';

const LAUNCHER = resolve(import.meta.dirname, '../../resources/bin/tagwright.mjs');
const RUNS = 11;

/** The system's Node, as a shell would find it. npm puts the project's own Node first on the path. */
function systemNode(): string {
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':');
  return execFileSync('/bin/sh', ['-c', 'command -v node'], { env: { PATH: path }, encoding: 'utf8' }).trim();
}

export const benches: Bench[] = [
  {
    area: 'command line',
    name: '`tagwright run` of a trivial script, the whole command',
    unit: 's',
    goal: { atMost: 0.6 },
    async run() {
      const folder = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
      const script = join(folder, 'trivial.js');
      writeFileSync(script, 'return 1 + 1;\n');
      const args = [LAUNCHER, 'run', script, '--workspace', join(folder, 'workspace'), '--json'];
      const node = systemNode();
      try {
        execFileSync(node, args, { stdio: ['ignore', 'pipe', 'ignore'] });
        const times = await timesOf(() => execFileSync(node, args, { stdio: ['ignore', 'pipe', 'ignore'] }), RUNS);
        const slowest = Math.max(...times);
        return {
          figure: median(times) / 1_000,
          detail: `median of ${RUNS} whole commands; slowest ${(slowest / 1_000).toFixed(2)} s`,
        };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
