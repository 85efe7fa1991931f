import { expect, test } from 'vitest';
import type { Draft } from '#domain/run/script';
import { thrownBy } from '../../../support/thrown-by.ts';
import { CHECK, openLibrary } from './open-library.ts';

const NEW: Draft = {
  ...CHECK,
  key: 'new-1',
  scriptId: null,
  baseVersion: 0,
  changedAt: '2026-08-01T10:15:00.000Z',
};

test('unsaved work is stored by key, newest first, however incomplete it is', async () => {
  const { library, changes } = openLibrary();
  const unfinished = { ...NEW, group: '', name: ' a/b ', body: '' };
  await library.putDraft(unfinished);
  const later = { ...NEW, key: 'new-2', changedAt: '2026-08-01T10:16:00.000Z' };
  await library.putDraft(later);
  expect(library.listDrafts()).toEqual([later, unfinished]);

  const changed = { ...unfinished, body: 'return', changedAt: '2026-08-01T10:17:00.000Z' };
  await library.putDraft(changed);
  expect(library.listDrafts()).toEqual([changed, later]);
  expect(changes).toEqual([]);
});

test('discarding deletes it, and may be repeated', async () => {
  const { library } = openLibrary();
  await library.putDraft(NEW);
  await library.discardDraft({ key: 'new-1' });
  await library.discardDraft({ key: 'new-1' });
  expect(library.listDrafts()).toEqual([]);
});

test('saving a script discards only its draft; a rejected save keeps it', async () => {
  const { library } = openLibrary();
  const { id } = await library.save(CHECK);
  const draft = { ...NEW, key: `script-${id}`, scriptId: id, baseVersion: 1, body: 'draft' };
  await library.putDraft(draft);
  await library.putDraft(NEW);
  await thrownBy(() => library.save({ ...CHECK, id, body: 'mine', baseVersion: 7 }));
  expect(library.listDrafts()).toHaveLength(2);
  await library.save({ ...CHECK, id, body: 'mine', baseVersion: 1 });
  expect(library.listDrafts()).toEqual([NEW]);

  await library.putDraft(draft);
  await library.save({ ...CHECK, id, body: 'mine' });
  expect(library.listDrafts()).toEqual([NEW]);
});

test('the draft of a deleted script survives; one without a script is rejected', async () => {
  const { library } = openLibrary();
  const { id } = await library.save(CHECK);
  const draft = { ...NEW, key: `script-${id}`, scriptId: id, baseVersion: 1, body: 'draft' };
  await library.putDraft(draft);
  await library.delete({ id });
  expect(library.listDrafts()).toEqual([draft]);
  const error = await thrownBy(() => library.putDraft({ ...draft, key: 'script-99', scriptId: 99 }));
  expect(error).toMatchObject({ code: 'NOT_FOUND', data: { id: 99 } });
});
