import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../../src-main/platform/log.ts';
import { sealerOf } from '../../../../src-main/outbound/secrets/sealer.ts';
import { openWorkbench, type WorkbenchOptions } from '../../../../src-main/workbench.ts';
import { builtProduct, ROOT } from '../../../support/product/product.ts';
import { scaled } from '../../../support/run/scale.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

beforeAll(() => builtProduct());

const MARKER = 'sample.unfinished';

async function opened(directory: string, createSample: boolean, more: Partial<WorkbenchOptions> = {}) {
  const log = createLog({ write: () => undefined });
  const workbench = await openWorkbench({ directory, root: ROOT, createSample, oneShot: true, log, ...more });
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
  writeFileSync(join(directory, MARKER), sealerOf(directory).seal(MARKER, ''));

  const finished = await opened(directory, true);

  expect(finished).toMatchObject({ created: false, tagCount: whole.tagCount, scriptCount: whole.scriptCount });
  expect(existsSync(join(directory, MARKER))).toBe(false);
});

test('a marker of an interrupted start that another program made is deleted', async () => {
  const directory = join(temporaryFolder(), 'plant');
  const whole = await opened(directory, true);
  const [script] = whole.services.scripts.list().scripts;
  await whole.services.scripts.delete({ id: script?.id ?? 0 });
  await whole.close();
  for (const text of ['', 'x', sealerOf(temporaryFolder()).seal(MARKER, ''), 'y'.repeat(10_000)]) {
    writeFileSync(join(directory, MARKER), text);
    const next = await opened(directory, true);
    expect(next).toMatchObject({ created: false, scriptCount: whole.scriptCount - 1 });
    expect(existsSync(join(directory, MARKER))).toBe(false);
    await next.close();
  }
});

test('every open makes the key of secrets before hosts could, and keeps one', async () => {
  const directory = join(temporaryFolder(), 'plant');
  const key = join(directory, 'secrets.key');
  const cipher = {
    id: 'system',
    seal: (_: string, value: string) => value,
    open: (_: string, sealed: string) => sealed,
  };
  const first = await opened(directory, false, { cipher });
  const text = readFileSync(key, 'utf8');
  expect(Buffer.from(text, 'base64')).toHaveLength(32);
  await first.close();
  await (await opened(directory, false)).close();
  expect(readFileSync(key, 'utf8')).toBe(text);
});

test('an unusable key file is reported and kept, and the workspace opens', async () => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, 'secrets.key'), 'mine');
  const lines: string[] = [];
  await opened(directory, false, { log: createLog({ write: (line) => lines.push(line) }) });
  expect(lines.filter((line) => line.includes('is not a key of Tagwright'))).toHaveLength(1);
  expect(readFileSync(join(directory, 'secrets.key'), 'utf8')).toBe('mine');
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

const [READS, WRITES] = [scaled(120_000, 500_000), scaled(50_000, 300_000)];

test(`a script reads ${READS} tags in one call, and writes ${WRITES}`, async () => {
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
    `const items = Array.from({ length: ${WRITES} }, (_, index) => ({ tag: path(index), value: index }));
    return TagValueManager.Set(items).Value.length;`,
  );
  expect(written).toMatchObject({ error: null, status: 'ok', result: WRITES });
  const read = await run(
    `const { Success, Value } = TagValueManager.Get(Array.from({ length: ${READS} }, (_, index) => path(index)));
    return [Success, Value.length, Value.every((item, index) => item.Value === ${WRITES - 100} + index % 100)];`,
  );
  expect(read).toMatchObject({ error: null, status: 'ok', result: [true, READS, true] });
  const tooMany = await run(`TagValueManager.Get(Array.from({ length: 1100000 }, (_, index) => path(index)));`);
  expect(tooMany.error?.message).toBe(
    'one Get takes at most 1,048,576 tags, but this one has 1,100,000; split it into several',
  );
  const tooManyItems = await run(
    `TagValueManager.Set(Array.from({ length: 400000 }, (_, index) => ({ tag: path(index), value: index })));`,
  );
  expect(tooManyItems.error?.message).toMatch(/^this call has too many parts .*; split it into several$/);
}, 600_000);
