import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../../support/product/command-line.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';

const NUMBER = 'Bottling.Line1.Order.Number.Value';

describe('tagwright lens', () => {
  beforeAll(builtProduct, 180_000);
  const folder = sharedFolder();
  const workspace = join(folder, 'plant');
  const lens = (...options: string[]) => commandLine(['lens', ...options, '-w', workspace]);
  const fileOf = (name: string, body: string): string => {
    writeFileSync(join(folder, name), body);
    return join(folder, name);
  };

  test('prints a grid, the values that were used, and a warning', async () => {
    await commandLine(['tags', 'set', `${NUMBER}=5`, '-w', workspace]);
    await commandLine(['tags', 'set', `${NUMBER}=7`, '--location', 'W1', '-w', workspace]);
    const body = `const [number] = TagValueManager.Get(['${NUMBER}'], tagScopeDiagram, tagScopeLocation).Value;
TagValueManager.Set([{ tag: '${NUMBER}', value: number.Value + 1 }]);
return number.Value;`;
    const shown = await lens(fileOf('mixed.js', body), '--diagram', '', '--location', '', 'W1');
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(/^ +default\ndefault {2}5, 1 write\nW1 {7}7, 1 write\n/);
    expect(shown.out).toContain(`read ${NUMBER} = 7 Good, stored for default / W1, shadows 5 of default`);
    expect(shown.out).toContain(`write ${NUMBER} [default] = 8`);
    expect(shown.out).toContain(`warning: Reads ${NUMBER} with its scope (line 1), and writes it without it (line 2)`);
    expect((await commandLine(['tags', 'get', NUMBER, '-w', workspace])).out).not.toContain(' 8');
  });

  test('exits with 0 for a tag, a Diagram and a script without mistakes', async () => {
    const tag = await lens('--tag', NUMBER, '--location', 'W1', '--json');
    expect(tag.code).toBe(0);
    const { cells, locations, warnings } = JSON.parse(tag.out);
    expect({ locations, warnings, first: cells[0].result }).toEqual({ locations: ['W1'], warnings: [], first: '7' });
    const list = JSON.parse((await lens(fileOf('one.js', 'return 1'), '--json')).out);
    expect(list.diagrams.length).toBeGreaterThan(1);
    const page = await lens('--page', String(list.diagrams[1]));
    expect(page.code).toBe(0);
    expect(page.out).toContain('values');
  });

  test('exits with 1 for a failed run, and with 2 for wrong use', async () => {
    expect((await lens(fileOf('bad.js', 'throw 1'), '--location', '')).code).toBe(1);
    expect((await lens()).code).toBe(2);
    expect((await lens('--tag', NUMBER, '--page', 'Overview')).code).toBe(2);
    expect((await lens('--tag', 'No.Such.Tag')).code).toBe(2);
    const typed = await lens('--tag', `${NUMBER}s`);
    expect([typed.code, typed.err]).toEqual([2, expect.stringContaining(`did you mean "${NUMBER}"`)]);
  });
});
