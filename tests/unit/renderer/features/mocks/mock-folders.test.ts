import { expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import type { Mock } from '#domain/mock/mock';
import { foldersIn, isFolderRow, withFolders } from '../../../../../src-renderer/features/mocks/model/folder-rows.ts';
import { listRows } from '../../../../../src-renderer/features/mocks/model/list-rows.ts';
import { newForm } from '../../../../../src-renderer/features/mocks/model/mock-form.ts';
import { NOTHING } from '../../../../../src-renderer/features/mocks/model/mocks-state.ts';

const mockOf = (id: number, folder?: string, enabled = true): Mock => ({
  ...mockRoute().parse({ name: `m${id}`, enabled, request: { url: 'https://a.example/' }, ...(folder && { folder }) }),
  id,
  hits: 0,
  lastHitAt: null,
  position: 0,
});
const draft = { key: 'new:1', id: null, base: null, form: { ...newForm('ERP / New'), name: 'Draft' } };
const state = {
  ...NOTHING,
  drafts: new Map([[draft.key, draft]]),
  mocks: [mockOf(1, 'ERP/Orders 10'), mockOf(2), mockOf(3, 'ERP', false), mockOf(4, 'ERP/Orders 9'), mockOf(5, 'AB')],
};
const shown = (filter: string, folded: string[] = []) =>
  withFolders(listRows(state, filter), new Set(folded)).map((row) =>
    isFolderRow(row)
      ? `${'  '.repeat(row.level - 1)}${row.expanded ? '-' : '+'} ${row.name} ${row.rows.length} ${row.enabled}`
      : `${'  '.repeat(row.level - 1)}${row.row.name}`,
  );

test('the list has first the mocks of a folder, then its folders in natural order', () => {
  expect(shown('')).toEqual([
    'm2',
    '- AB 1 true',
    '  m5',
    '- ERP 4 some',
    '  m3',
    '  - New 1 null',
    '    Draft',
    '  - Orders 9 1 true',
    '    m4',
    '  - Orders 10 1 true',
    '    m1',
  ]);
  expect(foldersIn(listRows(state, ''))).toEqual(['AB', 'ERP', 'ERP/New', 'ERP/Orders 9', 'ERP/Orders 10']);
});

test('a collapsed folder has its counts, and a filter finds the name of a folder', () => {
  expect(shown('', ['ERP', 'AB'])).toEqual(['m2', '+ AB 1 true', '+ ERP 4 some']);
  expect(shown('erp/orders 9')).toEqual(['- ERP 1 true', '  - Orders 9 1 true', '    m4']);
  expect(shown('nothing')).toEqual([]);
});
