import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convert, MAX_JSON_LEVELS } from '#domain/tag/convert';
import { parseJson } from '#domain/text/json';
import { QUALITIES } from '#domain/tag/quality';
import { SIGNAL_KINDS } from '#domain/tag/signal';
import { DEFINITION_LIMITS, TAG_KINDS, TAG_TYPES } from '#domain/tag/tag';
import { importedRows } from '../../../../src-main/plant/tags/definitions/exchange.ts';
import { SCHEMA_LIMITS } from '../../../../src-main/plant/tags/kinds/erp-schema.ts';
import { parseMachineSettings } from '../../../../src-main/plant/tags/kinds/machine-settings.ts';
import { MAX_VALUE_LENGTH } from '../../../../src-main/plant/tags/kinds/value-text.ts';
import { MAX_REPLAY_ROWS } from '../../../../src-main/plant/tags/replay-csv.ts';

const text = readFileSync(resolve(import.meta.dirname, '../../../../docs/plant/tags.md'), 'utf8');
const codeBlocks = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map((match) => match[1] ?? '');
const examples = [...text.matchAll(/^\| `(.+)` \| (\w+) \| (?:`(.+)`|rejected) \|$/gm)].map(
  ([, value = '', type = '', becomes]) => ({ value, type, becomes: becomes ?? 'rejected' }),
);

describe('docs/plant/tags.md', () => {
  test('has an example of every type', () => {
    expect(new Set(examples.map(({ type }) => type))).toEqual(new Set(TAG_TYPES));
  });

  test.each(examples)('$value to $type is $becomes', ({ value, type, becomes }) => {
    const known = TAG_TYPES.find((one) => one === type) ?? 'Json';
    const result = convert(parseJson(value), known);
    expect(result.ok ? JSON.stringify(result.value) : 'rejected').toBe(becomes);
  });

  test('names every kind, type, signal and quality', () => {
    const names = [...TAG_KINDS, ...TAG_TYPES, ...SIGNAL_KINDS, ...QUALITIES];
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test('has the actual limits', () => {
    const limits = [
      MAX_VALUE_LENGTH,
      MAX_REPLAY_ROWS,
      MAX_JSON_LEVELS,
      DEFINITION_LIMITS.description,
      DEFINITION_LIMITS.unit,
      SCHEMA_LIMITS.length,
      SCHEMA_LIMITS.levels,
    ];
    expect(limits.map((limit) => limit.toLocaleString('en')).filter((limit) => !text.includes(limit))).toEqual([]);
  });

  test('has CSV and JSON that can be imported and replayed', async () => {
    const [recording = '', csv = ''] = codeBlocks('csv');
    expect(parseMachineSettings({ signal: { kind: 'csv', csv: recording } }, 'String')).toMatchObject({ ok: true });
    const [json = ''] = codeBlocks('json');
    const rows = [...(await importedRows('csv', csv)), ...(await importedRows('json', json))];
    expect(rows).toHaveLength(4);
    expect(rows.filter((row) => !row.ok)).toEqual([]);
  });
});
