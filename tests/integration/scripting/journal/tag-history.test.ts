import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InstanceClient } from '../../../../src-main/host/instance-client.ts';
import { commandLine } from '../../../support/product/command-line.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { type ServedInstance, startInstance } from '../../../support/product/served-instance.ts';

const LEVEL = 'Plant.Line.Level.Value';
const DOUBLED = 'Plant.Line.Doubled.Value';

let instance: ServedInstance;
let client: InstanceClient;
beforeAll(builtProduct, 180_000);
beforeAll(async () => {
  instance = await startInstance();
  client = await instance.client();
  const tag = { description: '', unit: '', type: 'Double' as const };
  await client.tags.save({ ...tag, path: LEVEL, kind: 'storage', settings: {} });
  const body = `return TagValueManager.Get(['${LEVEL}']).value[0].value * 2;`;
  await client.scripts.save({ group: 'Line', name: 'Double', description: '', body });
  await client.tags.save({ ...tag, path: DOUBLED, kind: 'script', settings: { readScript: 'Line/Double' } });
});
afterAll(() => instance.close());

test('lists who wrote and who read a tag, with lines, the last ones first', async () => {
  const set = (value: number) => `TagValueManager.Set([{ tag: '${LEVEL}', value: ${value} }]);`;
  await client.scripts.save({
    group: 'Line',
    name: 'Fill',
    description: '',
    body: `const before = TagValueManager.Get(['${LEVEL}', '${DOUBLED}']);\n${set(1)}\n${set(2)}`,
  });
  await client.tags.set({ items: [{ tag: LEVEL, value: 5 }] });
  await commandLine(['run', '--script', 'Line/Fill', '-w', instance.workspace]);
  await commandLine(['run', '--script', 'Line/Fill', '-w', instance.workspace]);
  await commandLine(['run', '-', '-w', instance.workspace], { stdin: `${set(3)}\n${set(4)}` });

  const { writers, readers, isComplete, entries } = await client.journal.tag({ path: LEVEL });
  const script = { name: 'Line/Fill', version: 1 };
  expect(writers).toMatchObject([
    { actor: 'a script that is not saved, line 2', count: 1, thing: expect.stringMatching(/^run:\d+$/) },
    { actor: 'a script that is not saved, line 1', count: 1 },
    { actor: 'script Line/Fill (version 1), line 3', script, line: 3, count: 2 },
    { actor: 'script Line/Fill (version 1), line 2', script, line: 2, count: 2 },
    { actor: expect.stringMatching(/^user .* on the command line$/), count: 1 },
  ]);
  expect(readers).toMatchObject([
    { actor: 'script Line/Fill (version 1), line 1', script, line: 1, count: 2 },
    { actor: `read script of ${DOUBLED}, line 1`, count: 2 },
  ]);
  // The definition is an entry too, but nobody wrote a value with it.
  expect([isComplete, entries]).toEqual([true, 8]);
});

test('nobody wrote or read a tag that does not exist', async () => {
  const none = { writers: [], readers: [], entries: 0, isComplete: true };
  expect(await client.journal.tag({ path: 'Plant.None.Of.These' })).toMatchObject(none);
});
