import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { ROOT } from '../../../support/product/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const [A, B, STORED_A, STORED_B] = ['A', 'B', 'StoredA', 'StoredB'].map((name) => `Plant.Line.${name}.Value`) as [
  string,
  string,
  string,
  string,
];
const set = (path: string, value: string) => `TagValueManager.Set([{ tag: '${path}', value: ${value} }]);`;
const get = (path: string) => `TagValueManager.Get(['${path}']).Value[0].Value`;

/** Two script tags and two storage tags. */
async function openPlant(scripts: Record<'readA' | 'writeA' | 'readB' | 'writeB', string>) {
  const log = createLog({ write: () => undefined });
  const directory = `${temporaryFolder()}/plant`;
  const workbench = await openWorkbench({ directory, root: ROOT, createSample: false, eventsPort: 0, log });
  onTestFinished(() => workbench.close());
  const { services } = workbench;
  for (const [name, body] of Object.entries(scripts))
    await services.scripts.save({ group: 'Line', name, description: '', body });
  const tag = { type: 'Double', description: '', unit: '' } as const;
  for (const path of [STORED_A, STORED_B])
    await services.tags.definitions.save({ ...tag, path, kind: 'storage', settings: { initial: 0 } });
  for (const [path, name] of [
    [A, 'A'],
    [B, 'B'],
  ] as const) {
    const settings = { readScript: `Line/read${name}`, writeScript: `Line/write${name}`, updateMs: 100 };
    await services.tags.definitions.save({ ...tag, path, kind: 'script', settings });
  }
  const why = (path: string) => services.journal.why({ thing: { kind: 'tag', path } });
  return { ...services, why };
}

test('scripts of tags that write each other are an error, and each is explained once', async () => {
  const { tags, runs, why } = await openPlant({
    readA: `return ${get(A)};`,
    writeA: set(B, 'tagValue'),
    readB: `${set(A, '1')} return 1;`,
    writeB: `try { ${set(A, 'tagValue')} } catch {}\n${set(STORED_B, 'tagValue')}`,
  });
  const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
  for (const body of [set(A, '5'), set(B, '5'), `return [${get(A)}, ${get(B)}];`]) {
    const report = await runs.execute({ body, context, dryRun: false });
    expect(JSON.stringify(report)).toMatch(/circle|cycle/i);
  }
  // The inner script ignores the error.
  await tags.set({ items: [{ tag: A, value: 1 }] });
  expect((await why(STORED_B)).causes).toMatchObject([
    { action: `wrote ${STORED_B}`, after: 1, line: 2 },
    { action: expect.stringContaining(`as the write script of ${B}`) },
    { action: expect.stringContaining(`as the write script of ${A}`) },
  ]);
  for (const path of [A, B, STORED_A, STORED_B]) {
    const { causes } = await why(path);
    expect(causes.length).toBeLessThanOrEqual(4);
    expect(new Set(causes.map(({ entry }) => entry)).size).toBe(causes.length);
  }
});

test('watched scripts that change each other endlessly have each change explained', async () => {
  const { tags, why, journal } = await openPlant({
    readA: `const seen = ${get(STORED_B)};\n${set(STORED_A, 'seen + 1')}\nreturn seen;`,
    writeA: 'return 0;',
    readB: `const seen = ${get(STORED_A)};\n${set(STORED_B, 'seen + 1')}\nreturn seen;`,
    writeB: 'return 0;',
  });
  const end = new AbortController();
  onTestFinished(() => end.abort());
  void (async () => {
    for await (const _ of tags.watch({ paths: [A, B] }, end.signal)) if (end.signal.aborted) return;
  })().catch(() => undefined);
  await vi.waitFor(
    async () => {
      const [value] = await tags.get({ paths: [STORED_A] });
      expect(value?.value).toBeGreaterThan(3);
    },
    { interval: 100 },
  );
  for (const [stored, scripted] of [
    [STORED_A, A],
    [STORED_B, B],
  ] as const) {
    const { causes } = await why(stored);
    expect(causes).toMatchObject([
      { action: `wrote ${stored}`, line: 2 },
      {
        action: expect.stringContaining(`as the read script of ${scripted}`),
        actor: expect.stringMatching(/read|watch/),
      },
    ]);
    expect((await why(scripted)).causes.length).toBeLessThanOrEqual(4);
    expect((await journal.tag({ path: stored })).writers.length).toBeLessThanOrEqual(2);
  }
});
