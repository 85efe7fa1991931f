import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { builtProduct, ROOT } from '../../../support/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

beforeAll(() => builtProduct());

const MARKER = 'sample.unfinished';

async function opened(directory: string, createSample: boolean) {
  const log = createLog({ write: () => undefined });
  const workbench = await openWorkbench({ directory, root: ROOT, createSample, oneShot: true, log });
  onTestFinished(() => workbench.close());
  const { tags, scripts } = workbench.services;
  return { ...workbench, tagCount: tags.definitions.list({}).total, scriptCount: scripts.list().scripts.length };
}

test('the first start fills the workspace with the sample, once', async () => {
  const directory = join(temporaryFolder(), 'plant');
  const first = await opened(directory, true);
  expect(first.created).toBe(true);
  expect(first.tagCount).toBeGreaterThanOrEqual(60);
  expect(existsSync(join(directory, MARKER))).toBe(false);
  const [script] = first.services.scripts.list().scripts;
  await first.services.scripts.delete({ id: script?.id ?? 0 });
  await first.close();

  const second = await opened(directory, true);
  expect(second).toMatchObject({ created: false, tagCount: first.tagCount, scriptCount: first.scriptCount - 1 });
});

test('an interrupted first start is finished by the next one', async () => {
  const directory = join(temporaryFolder(), 'plant');
  const whole = await opened(directory, true);
  const [script] = whole.services.scripts.list().scripts;
  await whole.services.scripts.delete({ id: script?.id ?? 0 });
  await whole.services.tags.definitions.delete({ paths: ['Bottling.Line1.Filler.Speed.Value'] });
  await whole.close();
  writeFileSync(join(directory, MARKER), '');

  const finished = await opened(directory, true);

  expect(finished).toMatchObject({ created: false, tagCount: whole.tagCount, scriptCount: whole.scriptCount });
  expect(existsSync(join(directory, MARKER))).toBe(false);
});

test('without the sample, a workspace starts empty', async () => {
  const empty = await opened(join(temporaryFolder(), 'plant'), false);
  expect(empty).toMatchObject({ created: true, tagCount: 0, scriptCount: 0 });
});

test('a script reads 100,000 tags in one call', async () => {
  const { services } = await opened(join(temporaryFolder(), 'plant'), true);
  const report = await services.runs.execute({
    body: `const path = 'Bottling.Line1.Filler.Speed.Value';
      const result = TagValueManager.Get(Array.from({ length: 100000 }, () => path));
      return [result.Success, result.Value.length, result.Value.every((item) => item.Path === path)];`,
    context: { tagName: 'Bottling.Test.Value', tagScopeDiagram: null, tagScopeLocation: null },
    dryRun: false,
  });
  expect(report).toMatchObject({ status: 'ok', result: [true, 100_000, true], dropped: { reads: 90_000 } });
  expect(report.reads).toHaveLength(10_000);
});

test('a script reads 500,000 tags in one call, and writes 300,000', async () => {
  const { services } = await opened(join(temporaryFolder(), 'plant'), false);
  await services.settings.update({ 'limits.memoryMb': 1_024, 'limits.scriptMs': 60_000 });
  const paths = Array.from({ length: 100 }, (_, index) => `Bench.Line.Tag${index}.Value`);
  for (const path of paths) {
    await services.tags.definitions.save({
      path,
      kind: 'storage',
      type: 'Int',
      unit: '',
      description: '',
      settings: {},
    });
  }
  const run = (body: string) =>
    services.runs.execute({
      body: `const path = (index) => 'Bench.Line.Tag' + index % 100 + '.Value'; ${body}`,
      context: { tagName: 'Bench.Test.Value', tagScopeDiagram: null, tagScopeLocation: null },
      dryRun: false,
    });
  const written = await run(
    `const items = Array.from({ length: 300000 }, (_, index) => ({ tag: path(index), value: index }));
    return TagValueManager.Set(items).Value.length;`,
  );
  expect(written).toMatchObject({ status: 'ok', result: 300_000 });
  const read = await run(
    `const { Success, Value } = TagValueManager.Get(Array.from({ length: 500000 }, (_, index) => path(index)));
    return [Success, Value.length, Value.every((item, index) => item.Value === 299900 + index % 100)];`,
  );
  expect(read).toMatchObject({ status: 'ok', result: [true, 500_000, true] });
  const tooMany = await run(`TagValueManager.Get(Array.from({ length: 1100000 }, (_, index) => path(index)));`);
  expect(tooMany.error?.message).toBe(
    'one Get takes at most 1,048,576 tags, but this one has 1,100,000; split it into several',
  );
  const tooManyItems = await run(
    `TagValueManager.Set(Array.from({ length: 400000 }, (_, index) => ({ tag: path(index), value: index })));`,
  );
  expect(tooManyItems.error?.message).toMatch(/^this call has too many parts .*; split it into several$/);
}, 120_000);
