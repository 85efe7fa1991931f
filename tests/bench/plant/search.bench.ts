import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchRequest } from '#domain/search/found';
import { SEARCH_KINDS } from '#domain/search/found';
import type { SearchQuery } from '#domain/search/query';
import { productRoot } from '../../../src-main/platform/files/paths.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import { openWorkbench } from '../../../src-main/workbench.ts';
import type { Bench, Finding } from '../bench.ts';
import { median, timesOf } from '../compare.ts';

const SCRIPTS = 5_000;
const LINE = "const speed = TagValueManager.Get(['Line 1.Filler.Speed.Value']).Value[0].Value; // in bottles\n";
const ROUNDS = 9;

/** The script of a number, of 4 kB; one of a hundred has the needle. */
const bodyOf = (index: number): string =>
  `${LINE.repeat(20)}const script${index} = ${index};\n${index % 100 === 0 ? 'const needle = 1;\n' : ''}${LINE.repeat(20)}`;

/** How long a search in 5,000 stored scripts takes, in ms, and how long a loop over the same strings takes. */
async function searched(query: Partial<SearchQuery>, byHand: (body: string) => number): Promise<Finding> {
  const directory = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  const log = createLog({ level: 'error' });
  const workbench = await openWorkbench({ directory, root: productRoot(), createSample: false, oneShot: true, log });
  try {
    const { search, scripts } = workbench.services;
    const bodies = Array.from({ length: SCRIPTS }, (_, index) => bodyOf(index));
    await Promise.all(
      bodies.map((body, index) => scripts.save({ group: 'G', name: `S${index}`, description: '', body })),
    );
    const request: SearchRequest = {
      query: { text: 'needle', regex: false, matchCase: false, wholeWord: false, ...query },
      kinds: [...SEARCH_KINDS],
      include: '',
      exclude: '',
      window: null,
      limit: 10_000,
    };
    let matches = 0;
    const figure = median(
      await timesOf(async () => {
        for await (const { end } of search.find(request, new AbortController().signal)) matches = end?.matches ?? 0;
      }, ROUNDS),
    );
    let found = 0;
    const hand = median(
      await timesOf(() => {
        found = 0;
        for (const body of bodies) found += byHand(body);
      }, ROUNDS),
    );
    if (matches !== found) throw new Error(`${matches} matches, by hand ${found}`);
    return { figure, detail: `${matches} matches; a loop over the strings in memory: ${hand.toFixed(1)} ms` };
  } finally {
    await workbench.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function countOf(body: string, text: string): number {
  let count = 0;
  for (let at = body.indexOf(text); at >= 0; at = body.indexOf(text, at + text.length)) count += 1;
  return count;
}

export const benches: Bench[] = [
  {
    area: 'search',
    name: 'a text in 5,000 scripts of 4 kB',
    unit: 'ms',
    goal: { atMost: 500 },
    run: () => searched({ matchCase: true }, (body) => countOf(body, 'needle')),
  },
  {
    area: 'search',
    name: 'a text in 5,000 scripts of 4 kB, in any case',
    unit: 'ms',
    goal: { atMost: 500 },
    run: () => searched({ text: 'NEEDLE' }, (body) => countOf(body.toLowerCase(), 'needle')),
  },
  {
    area: 'search',
    name: 'a regular expression in 5,000 scripts of 4 kB',
    unit: 'ms',
    goal: { atMost: 1_000 },
    run: () => searched({ text: 'need(le)?', regex: true }, (body) => [...body.matchAll(/need(le)?/gim)].length),
  },
];
