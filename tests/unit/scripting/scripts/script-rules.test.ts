import { expect, test } from 'vitest';
import { SCRIPT_LIMITS } from '#domain/run/script';
import { DRAFT_LIMITS } from '../../../../src-main/scripting/scripts/script-rules.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { CHECK, openLibrary } from './open-library.ts';

const LONG = 'x'.repeat(SCRIPT_LIMITS.name + 1);

test.each([
  ['no group', { group: '' }, ['group'], 'Script Group is required'],
  ['a blank name', { name: ' \t' }, ['name'], 'Name is required'],
  ['a name with a space at its end', { name: 'a ' }, ['name'], 'cannot begin or end with a space'],
  ['a slash in the name', { name: 'a/b' }, ['name'], 'cannot contain "/"'],
  ['a line break in the group', { group: 'a\nb' }, ['group'], 'control characters'],
  ['a long name', { name: LONG }, ['name'], 'at most 100 characters, but this one has 101'],
  ['half a character', { name: 'a\ud800' }, ['name'], 'character 2 is an unpaired surrogate'],
  ['a long description', { description: 'x'.repeat(4_001) }, ['description'], 'at most 4000 characters'],
  ['a blank body', { body: ' \n' }, ['body'], 'Body is required'],
  [
    'a body over 1 MiB in UTF-8',
    { body: 'ü'.repeat(524_289) },
    ['body'],
    'at most 1048576 bytes, but this one has 1048578',
  ],
  ['half a character in the body', { body: '"\udc00"' }, ['body'], 'write it as an escape such as \\ud800'],
  ['several at once', { group: '', name: LONG, body: '' }, ['group', 'name', 'body'], 'Script Group is required. Name'],
])('a script with %s is rejected, and each field is named', async (_what, change, fields, message) => {
  const { library, changes } = openLibrary();
  const error = await thrownBy(() => library.save({ ...CHECK, ...change }));
  expect(error.code).toBe('BAD_REQUEST');
  expect(error.message).toContain(message);
  expect(error.data['issues']).toEqual(fields.map((field) => ({ path: [field], message: expect.any(String) })));
  expect(library.list()).toEqual({ groups: [], scripts: [] });
  expect(changes).toEqual([]);
});

test('a text of exactly the allowed length is saved', async () => {
  const { library } = openLibrary();
  const longest = {
    group: 'g'.repeat(SCRIPT_LIMITS.name),
    name: 'n'.repeat(SCRIPT_LIMITS.name),
    description: 'd'.repeat(SCRIPT_LIMITS.description),
    body: 'b'.repeat(SCRIPT_LIMITS.bodyBytes),
  };
  expect(await library.save(longest)).toMatchObject(longest);
});

test('names of groups follow the same rules', async () => {
  const { library } = openLibrary();
  await library.createGroup({ name: 'Packing' });
  expect((await thrownBy(() => library.createGroup({ name: 'a/b' }))).data['issues']).toMatchObject([
    { path: ['name'] },
  ]);
  const renamed = await thrownBy(() => library.renameGroup({ name: 'Packing', newName: '' }));
  expect(renamed.data['issues']).toMatchObject([{ path: ['newName'], message: 'Script Group is required' }]);
});

const DRAFT = { ...CHECK, key: 'new-1', scriptId: null, baseVersion: 0, changedAt: '2026-08-01T10:15:00.000Z' };

test.each([
  ['a key that is not that of its script', { key: 'script-7', scriptId: 8 }, 'key'],
  ['a key of a script without one', { key: 'script-7', scriptId: null }, 'key'],
  ['no key after new-', { key: 'new-' }, 'key'],
  ['a time that is none', { changedAt: 'yesterday' }, 'changedAt'],
  ['a name beyond reason', { name: 'x'.repeat(DRAFT_LIMITS.name + 1) }, 'name'],
  ['a body beyond reason', { body: 'x'.repeat(DRAFT_LIMITS.bodyBytes + 1) }, 'body'],
  ['half a character', { description: '\ud800' }, 'description'],
])('a draft with %s is rejected', async (_what, change, field) => {
  const { library } = openLibrary();
  const error = await thrownBy(() => library.putDraft({ ...DRAFT, ...change }));
  expect(error.code).toBe('BAD_REQUEST');
  expect(error.data['issues']).toMatchObject([{ path: [field] }]);
  expect(library.listDrafts()).toEqual([]);
});
