import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from '../bench.ts';
import { fillWithEvents } from '../events/events-fixture.ts';
import { costsOfEvents } from '../events/events-growth.bench.ts';
import { growthPlot } from './plot.ts';

const run = promisify(execFile);
const MEASURE = resolve(import.meta.dirname, 'measure.ts');
const DOCS = resolve(import.meta.dirname, '../../../docs');
/** Each size is twice the one before. */
const SIZES = 5;
/** `TAGWRIGHT_BENCH_SHARE=0.01` measures a hundredth of each size, and leaves the page alone. */
const SHARE = Number(process.env['TAGWRIGHT_BENCH_SHARE'] ?? 1);
/** What takes less is not slow for anyone, ms. */
const LEAST_MS = 1;

/** What one kind costs at each size. */
export interface Growth {
  kind: string;
  counts: number[];
  /** By name, in ms; `memory` in MB. */
  costs: Map<string, number[]>;
}

/** Fills a folder until it has `count`, and measures what they cost. */
interface Steps {
  fill: (kind: string, directory: string, count: number, had: number) => Promise<void>;
  costs: (kind: string, directory: string, count: number) => Promise<Record<string, number>>;
}

interface Kind extends Steps {
  most: number;
  /** The work that covers all of them; other work is for one, or for a page. */
  ofAll: readonly string[];
  names: Readonly<Record<string, string>>;
}

const COMMON = { opening: 'open the workspace', memory: 'memory of main, MB' };
const OF_WORKBENCH: Steps = {
  async fill(kind, directory, count, had) {
    await run(process.execPath, [MEASURE, 'fill', kind, String(count), directory, String(had)]);
  },
  async costs(kind, directory, count) {
    return JSON.parse((await run(process.execPath, [MEASURE, 'measure', kind, String(count), directory])).stdout);
  },
};
const OF_EVENTS: Steps = {
  fill: (_, directory, count, had) => fillWithEvents(directory, count, had),
  async costs(_, directory, count) {
    const { events: __, open, ...others } = await costsOfEvents(directory, count);
    return { opening: open, ...others };
  },
};

const KINDS: Readonly<Record<string, Kind>> = {
  tags: {
    ...OF_WORKBENCH,
    most: 1_000_000,
    ofAll: ['opening', 'memory', 'search', 'completion', 'nearest'],
    names: {
      ...COMMON,
      page: 'list 1,000 of them',
      search: 'filter by two words',
      completion: 'complete a path',
      nearest: 'suggest for a misspelt path',
      get: 'read 1,000 values',
      set: 'write one value',
    },
  },
  scripts: {
    ...OF_WORKBENCH,
    most: 10_000,
    ofAll: ['opening', 'memory', 'list', 'search'],
    names: {
      ...COMMON,
      list: 'list all',
      search: 'search the texts',
      read: 'open one',
      save: 'save one',
      run: 'run a trivial one',
    },
  },
  rules: {
    ...OF_WORKBENCH,
    most: 2_000,
    ofAll: ['opening', 'memory', 'list', 'firing'],
    names: { ...COMMON, list: 'list all', firing: 'fire all, each with its event' },
  },
  events: {
    ...OF_EVENTS,
    most: 10_000_000,
    ofAll: ['list', 'gzip', 'poll', 'memory'],
    names: {
      opening: 'start until the first page is sent',
      memory: 'highest memory of main, MB',
      list: 'list all',
      gzip: 'list all with gzip',
      poll: 'poll with gzip after one change',
      unchanged: 'poll without a change',
      get: 'GET of one',
      put: 'PUT of one',
    },
  },
};

/** Measures each size in the same folder, and prints what it found at once: all sizes take minutes. */
async function measured(name: string, { most, fill, costs: costsOf }: Kind): Promise<Growth> {
  const counts = Array.from({ length: SIZES }, (_, size) => Math.ceil((most * SHARE) / 2 ** (SIZES - 1 - size)));
  const costs = new Map<string, number[]>();
  const directory = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  try {
    for (const [size, count] of counts.entries()) {
      const began = performance.now();
      await fill(name, directory, count, counts[size - 1] ?? 0);
      const filled = performance.now();
      const figures = await costsOf(name, directory, count);
      for (const [one, cost] of Object.entries(figures)) costs.set(one, [...(costs.get(one) ?? []), cost]);
      const text = Object.entries(figures).map(([one, cost]) => `${one} ${shown(cost)}`);
      const seconds = [filled - began, performance.now() - filled].map((ms) => `${(ms / 1_000).toFixed(0)} s`);
      console.log(`        ${count.toLocaleString('en')} ${name} (${seconds.join(' + ')}): ${text.join(', ')}`);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return { kind: name, counts, costs };
}

/** How much more one costs at the largest size than at the smallest, for the work that grows most. */
function worst({ counts, costs }: Growth, { ofAll }: Kind): { figure: number; name: string } {
  const more = (counts.at(-1) ?? 1) / (counts[0] ?? 1);
  const ratios = [...costs].map(([name, values]) => {
    const least = name === 'memory' ? 0 : LEAST_MS;
    const [first, last] = [values[0], values.at(-1)].map((value) => Math.max(least, value ?? Number.NaN));
    return { name, figure: (last ?? Number.NaN) / (first ?? Number.NaN) / (ofAll.includes(name) ? more : 1) };
  });
  return ratios.toSorted((a, b) => b.figure - a.figure)[0] ?? { name: '', figure: Number.NaN };
}

function shown(value: number): string {
  if (value < 0.05) return '< 0.1';
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}

function tableOf({ kind, counts, costs }: Growth, names: Readonly<Record<string, string>>): string {
  const head = [kind, ...counts.map((count) => count.toLocaleString('en'))];
  const rows = [...costs].map(([name, values]) => [names[name] ?? name, ...values.map(shown)]);
  return [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

/** Replaces the generated part of the page, and the plot. */
function publish(all: readonly Growth[]): void {
  const page = join(DOCS, 'development', 'scale.md');
  const tables = all.map((growth) => tableOf(growth, KINDS[growth.kind]?.names ?? {}));
  const text = readFileSync(page, 'utf8');
  const [before = ''] = text.split('<!-- figures -->');
  const [, after = ''] = text.split('<!-- /figures -->');
  writeFileSync(page, `${before}<!-- figures -->\n\n${tables.join('\n\n')}\n\n<!-- /figures -->${after}`);
  writeFileSync(join(DOCS, 'images', 'scale.svg'), growthPlot(all));
}

const results: Growth[] = [];

export const benches: Bench[] = Object.entries(KINDS).map(([name, kind], _, all) => ({
  area: 'scale',
  name: `how much more one of ${(kind.most * SHARE).toLocaleString('en')} ${name} costs than one of a sixteenth, for the work that grows most`,
  unit: '×' as const,
  goal: { atMost: 1.5 },
  onRequest: true,
  async run() {
    const growth = await measured(name, kind);
    results.push(growth);
    if (SHARE === 1 && results.length === all.length) publish(results);
    const { figure, name: grows } = worst(growth, kind);
    return { figure, detail: `${kind.names[grows]} grows most` };
  },
}));
