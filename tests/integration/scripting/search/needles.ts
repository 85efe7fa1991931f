import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import { scriptTestText } from '#contract/texts/script-test-text';
import type { FoundItem, SearchEnd, SearchRequest, SearchStep } from '#domain/search/found';
import { SEARCH_KINDS } from '#domain/search/found';
import type { SearchQuery } from '#domain/search/query';
import { createLog } from '../../../../src-main/platform/log.ts';
import type { Workbench } from '../../../../src-main/workbench.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { storage, tagOf } from '../../plant/tags/tag-workspace.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const SPEED = 'Line 1.Filler.Speed.Value';
const AT = '2026-08-01T06:00:00Z';

export async function workbench(): Promise<Workbench['services']> {
  const log = createLog({ level: 'error' });
  const opened = await openWorkbench({
    directory: temporaryFolder(),
    root: ROOT,
    createSample: false,
    oneShot: true,
    log,
  });
  onTestFinished(() => opened.close());
  return opened.services;
}

/** A workspace in which every kind has a text with "needle". */
export async function withNeedles() {
  const services = await workbench();
  const { tagDefinitions, scripts, rules, scriptTests, mocks } = services;
  await tagDefinitions.save(storage(SPEED, 'Double', { initial: 5 }));
  const fill = await scripts.save({
    group: 'Line 1',
    name: 'Fill',
    description: '',
    body: 'let a = 1;\n  const needle = a; // needle\nreturn needle;',
  });
  await scripts.save({ group: 'Line 2', name: 'Cap', description: '', body: 'return 1;' });
  const draft = { group: 'Line 1', name: 'Fill', description: '', body: 'return Needle;' };
  await scripts.putDraft({ ...draft, key: `script-${fill.id}@w1`, scriptId: fill.id, baseVersion: 1, changedAt: AT });
  await tagDefinitions.save(
    tagOf('Line 1.Twice.Value', 'calculation', 'Double', { expression: `2 * tag('${SPEED}') /* needle */` }),
  );
  await tagDefinitions.save(tagOf('Line 1.Rows.Value', 'db', 'Int', { readSql: "SELECT\n 'needle'" }));
  await rules.save({
    name: 'Speeds',
    description: '',
    enabled: false,
    triggersEvents: false,
    tags: [SPEED],
    sampling: { kind: 'onChange' },
    window: { kind: 'manual' },
    outputs: [{ name: 'Top', reducer: 'max', tag: SPEED }],
    condition: "Top !== 'needle'",
  });
  const full = { name: 'Full', tags: [{ tag: SPEED, value: { state: 'needle' } }], expect: { result: 'needle' } };
  await scriptTests.save({ ...scriptTestText().parse(full), scriptId: fill.id });
  await mocks.save(
    mockRoute().parse({
      name: 'Order',
      request: { url: 'https://erp.example/needle', headers: [['X-Key', 'needle']], body: { json: { a: 'needle' } } },
      answer: { body: { kind: 'json', json: { list: ['needle'], needle: 1 } } },
    }),
  );
  return { services, fill };
}

export const REQUEST: SearchRequest = {
  query: { text: '', regex: false, matchCase: false, wholeWord: false },
  kinds: [...SEARCH_KINDS],
  include: '',
  exclude: '',
  window: null,
  limit: 10_000,
};

export async function find(
  { search }: Pick<Workbench['services'], 'search'>,
  query: Partial<SearchQuery>,
  more: Partial<Omit<SearchRequest, 'query'>> = {},
): Promise<{ items: FoundItem[]; end: SearchEnd | null; steps: SearchStep[] }> {
  const request = { ...REQUEST, ...more, query: { ...REQUEST.query, ...query } };
  const steps: SearchStep[] = [];
  for await (const step of search.find(request, new AbortController().signal)) steps.push(step);
  return { items: steps.flatMap(({ items }) => items), end: steps.at(-1)?.end ?? null, steps };
}
