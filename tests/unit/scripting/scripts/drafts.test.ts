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

test('a save discards its draft and equal ones; a rejected one keeps them', async () => {
  const { library } = openLibrary();
  const { id } = await library.save(CHECK);
  const draft = { ...NEW, key: `script-${id}@mine`, scriptId: id, baseVersion: 1, body: 'mine' };
  const other = { ...draft, key: `script-${id}@other`, body: 'other' };
  const equal = { ...draft, key: `script-${id}@equal` };
  for (const one of [draft, NEW, other, equal]) await library.putDraft(one);
  await thrownBy(() => library.save({ ...CHECK, id, body: 'mine', baseVersion: 7, draft: draft.key }));
  expect(library.listDrafts()).toHaveLength(4);
  await library.save({ ...CHECK, id, body: 'mine', baseVersion: 1, draft: draft.key });
  expect(library.listDrafts()).toEqual([NEW, other]);
  await library.save({ ...CHECK, id, body: 'of a command' });
  expect(library.listDrafts()).toEqual([NEW, other]);
});

test('followers see drafts and open windows, and take drafts of closed ones', async () => {
  const { library } = openLibrary();
  const [mine, other] = [new AbortController(), new AbortController()];
  const follow = (window: string, { signal }: AbortController) =>
    library.followDrafts({ window }, signal)[Symbol.asyncIterator]();
  const [following, otherFollowing] = [follow('mine', mine), follow('other', other)];
  expect((await following.next()).value).toEqual([]);
  await otherFollowing.next();
  await library.putDraft({ ...NEW, key: 'new-1@other' });
  const { description: _description, body: _body, ...summary } = { ...NEW, key: 'new-1@other' };
  const next = async () => (await following.next()).value;
  await expect.poll(next).toEqual([{ ...summary, isOpen: true }]);
  const take = () => library.takeDraft({ key: 'new-1@other', window: 'mine' });
  expect(await thrownBy(take)).toMatchObject({ code: 'CONFLICT' });
  other.abort();
  await otherFollowing.next();
  await expect.poll(next).toEqual([{ ...summary, isOpen: false }]);
  expect(await take()).toEqual({ ...NEW, key: 'new-1@mine' });
  expect(await thrownBy(take)).toMatchObject({ code: 'NOT_FOUND' });
  expect(library.listDrafts()).toEqual([{ ...NEW, key: 'new-1@mine' }]);
  mine.abort();
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
