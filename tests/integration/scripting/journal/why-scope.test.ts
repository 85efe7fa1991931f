import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Why } from '#domain/run/why';
import { commandLine } from '../../../support/product/command-line.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { clientOf, serve } from '../../../support/product/served-instance.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';

const folder = sharedFolder();
const workspace = join(folder, 'plant');
const STORED = 'Plant.Line.Order.Number';

async function command(...args: string[]): Promise<string> {
  const ended = await commandLine([...args, '-w', workspace]);
  expect({ args, code: ended.code, err: ended.code === 0 ? '' : ended.err }).toEqual({ args, code: 0, err: '' });
  return ended.out;
}

const scoped = ['--diagram', 'Manager', '--location', 'W1'];
const set = (value: number, ...scope: string[]) => command('tags', 'set', `${STORED}=${value}`, ...scope);
async function why(...more: string[]): Promise<Why> {
  return JSON.parse((await commandLine(['why', STORED, '--json', ...more, '-w', workspace])).out);
}

beforeAll(builtProduct, 180_000);
beforeAll(async () => {
  await commandLine(['workspaces', 'new', workspace, '--empty']);
  const file = join(folder, 'tags.json');
  const tag = { path: STORED, kind: 'storage', type: 'Int', settings: { initial: 0 }, description: '', unit: '' };
  writeFileSync(file, JSON.stringify([tag]));
  await command('tags', 'import', file);
});

describe('why in a scope', () => {
  test('says that the value is the initial one while nothing is stored', async () => {
    await set(7, '--location', 'W2');
    const { causes, problem } = await why(...scoped);
    expect(causes.map(({ kind }) => kind)).toEqual(['define']);
    expect(problem).toMatch(/has its initial value in the scope Manager \/ W1/);
  });

  test('explains the stored value that the scope sees, not the last one', async () => {
    await set(1);
    await set(2, ...scoped);
    await set(3, '--location', 'W1');
    await set(4);
    const action = `wrote ${STORED}`;
    expect((await why()).causes).toMatchObject([{ action, after: 4 }]);
    expect((await why(...scoped)).causes).toMatchObject([{ action: `${action} in scope Manager / W1`, after: 2 }]);
    const other = await why('--diagram', 'Viewer', '--location', 'W1');
    expect(other.causes).toMatchObject([{ action: `${action} in scope default / W1`, after: 3 }]);
    expect((await why('--diagram', 'Viewer')).causes).toMatchObject([{ action, after: 4 }]);
  });

  test('a cleared value leads to the one that it had hidden', async () => {
    const [before] = (await why(...scoped)).causes;
    const instance = await serve(workspace);
    const client = await clientOf(workspace);
    await client.tags.clear({ path: STORED, diagram: 'Manager', location: 'W1' });
    await instance.close();
    const { causes, problem } = await why(...scoped);
    expect(problem).toBeNull();
    expect(causes.map(({ action }) => action)).toEqual([
      `cleared the value of ${STORED} in scope Manager / W1`,
      `wrote ${STORED} in scope default / W1`,
    ]);
    const earlier = await why(...scoped, '--at', before?.at ?? '');
    expect(earlier.causes).toMatchObject([{ after: 2, entry: before?.entry }]);
  });
});

test('a change while nothing was recorded is not hidden by an earlier one', async () => {
  const record = (megabytes: number) => command('settings', 'set', `journal.megabytes=${megabytes}`);
  const unrecorded = /^The value was changed at 20\S+Z( in scope .*)?, and the journal has no entry about that/;
  await set(50);
  await set(51, ...scoped);
  const recorded = await why();
  expect(recorded.problem).toBeNull();
  await record(0);
  await set(52);
  await record(200);
  expect(await why()).toMatchObject({ problem: expect.stringMatching(unrecorded), causes: [{ after: 51 }] });
  expect(await why(...scoped)).toMatchObject({ problem: null, causes: [{ after: 51 }] });
  expect((await why('--diagram', 'Viewer')).problem).toMatch(unrecorded);
  expect((await why('--at', recorded.causes[0]?.at ?? '')).problem).toBeNull();
  await set(53);
  expect(await why()).toMatchObject({ problem: null, causes: [{ after: 53 }] });
});
