import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { CORPUS } from '../../integration/attack/corpus/index.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/development/reliability.md'), 'utf8');

test('the page about reliability counts the hostile scripts that exist', () => {
  const rows = Object.entries(CORPUS).map(([target, attacks]) => `| ${target} | ${attacks.length} |`);
  const all = Object.values(CORPUS).flat().length;
  const table = ['| target | scripts |', '|---|---|', ...rows, `| **all** | ${all} |`].join('\n');
  expect(PAGE).toContain(`${table}\n`);
});
