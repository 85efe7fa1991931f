import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Bench } from '../bench.ts';
import { median, timesOf } from '../compare.ts';

const LAUNCHER = resolve(import.meta.dirname, '../../../resources/bin/tagwright.mjs');
const BY_HAND = resolve(import.meta.dirname, '../peers/short-command.mjs');
const OWN_NODE = resolve(import.meta.dirname, '../../../node_modules/node/bin/node');
const RUNS = 11;

/** The system's Node, as a shell would find it. npm puts the project's own Node first on the path. */
function systemNode(): string {
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':');
  return execFileSync('/bin/sh', ['-c', 'command -v node'], { env: { PATH: path }, encoding: 'utf8' }).trim();
}

const command = (node: string, args: readonly string[]) => () =>
  execFileSync(node, args, { stdio: ['ignore', 'pipe', 'ignore'] });

/** Whole commands in turns with `node -e 0` of the same Node: the median of the pairs. */
async function againstNothing(node: string, args: readonly string[], program = LAUNCHER) {
  const [ours, bare] = [command(node, [program, ...args]), command(node, ['-e', '0'])];
  ours();
  bare();
  const pairs: { ours: number; bare: number }[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const [one = 0] = await timesOf(ours, 1);
    const [other = 0] = await timesOf(bare, 1);
    pairs.push({ ours: one, bare: other });
  }
  const ms = (side: 'ours' | 'bare') => median(pairs.map((pair) => pair[side])).toFixed(0);
  return {
    figure: median(pairs.map((pair) => pair.ours / pair.bare)),
    detail: `${ms('ours')} against ${ms('bare')} ms`,
  };
}

/** With the Node that a user has, and with that of the project, which npm finds first and which starts faster. */
async function withBothNodes(args: readonly string[]) {
  const found = await againstNothing(systemNode(), args);
  const own = await againstNothing(OWN_NODE, args);
  return {
    figure: found.figure,
    detail: `${found.detail}; ${own.figure.toFixed(2)} × with the Node of the project, ${own.detail}`,
  };
}

export const benches: Bench[] = [
  {
    area: 'command line',
    name: '`tagwright run` of a trivial script against `node -e 0`, whole commands',
    unit: '×',
    goal: { atMost: 4 },
    async run() {
      const folder = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
      const script = join(folder, 'trivial.js');
      writeFileSync(script, 'return 1 + 1;\n');
      try {
        const found = await withBothNodes(['run', script, '--workspace', join(folder, 'workspace'), '--json']);
        const least = await againstNothing(systemNode(), ['launcher', folder], BY_HAND);
        return { ...found, detail: `${found.detail}; by hand ${least.figure.toFixed(2)} ×, ${least.detail}` };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    area: 'command line',
    name: '`tagwright --version` against `node -e 0`, whole commands',
    unit: '×',
    goal: { atMost: 2 },
    async run() {
      const found = await withBothNodes(['--version']);
      const help = await againstNothing(systemNode(), ['run', '--help']);
      return { ...found, detail: `${found.detail}; --help ${help.figure.toFixed(2)} ×, ${help.detail}` };
    },
  },
];
