import { expect, test } from 'vitest';
import { readOnlyReason } from '#domain/tag/tag';

test('calculations, and tags without write SQL or a write script, are read-only', () => {
  expect(readOnlyReason({ kind: 'calculation', settings: { expression: '1' } })).toMatch(/write its inputs/);
  for (const settings of [{}, { writeSql: '' }, { writeSql: null, writeScript: null }]) {
    expect(readOnlyReason({ kind: 'db', settings })).toMatch(/no write SQL/);
    expect(readOnlyReason({ kind: 'script', settings })).toMatch(/no write script/);
    for (const kind of ['machine', 'storage', 'erp'] as const) expect(readOnlyReason({ kind, settings })).toBeNull();
  }
  expect(readOnlyReason({ kind: 'db', settings: { writeSql: 'INSERT' } })).toBeNull();
  expect(readOnlyReason({ kind: 'script', settings: { writeScript: 'G/N' } })).toBeNull();
});
