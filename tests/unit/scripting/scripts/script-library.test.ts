import { expect, test } from 'vitest';
import { thrownBy } from '../../../support/thrown-by.ts';
import { CHECK, openLibrary } from './open-library.ts';

test('the first save makes the group and version 1', async () => {
  const { library, changes } = openLibrary();
  const script = await library.save(CHECK);
  expect(script).toEqual({ ...CHECK, id: 1, version: 1, savedAt: '2026-08-01T10:15:00.000Z' });
  expect(library.get({ id: 1 })).toEqual(script);
  expect(library.get({ group: 'packing', name: 'CHECK' })).toEqual(script);
  const { body: _body, ...summary } = script;
  expect(library.list()).toEqual({ groups: ['Packing'], scripts: [summary] });
  expect(changes).toEqual([1]);
});

test('every save, rename and move is a version; versions are listed newest first', async () => {
  const { library, clock } = openLibrary();
  const { id } = await library.save(CHECK);
  clock.advance(1_000);
  await library.save({ ...CHECK, id, body: 'return 2;', baseVersion: 1 });
  clock.advance(1_000);
  const moved = await library.save({ ...CHECK, id, group: 'Filling', name: 'Level', body: 'return 2;' });
  expect(moved).toMatchObject({ id, group: 'Filling', name: 'Level', version: 3, savedAt: '2026-08-01T10:15:02.000Z' });
  const by = { ...CHECK, scriptId: id, savedBy: 'jane' };
  expect(library.versions({ id })).toEqual([
    { ...by, version: 3, group: 'Filling', name: 'Level', body: 'return 2;', savedAt: moved.savedAt },
    { ...by, version: 2, body: 'return 2;', savedAt: '2026-08-01T10:15:01.000Z' },
    { ...by, version: 1, savedAt: '2026-08-01T10:15:00.000Z' },
  ]);
  expect(library.list().groups).toEqual(['Filling', 'Packing']);
});

test('the history has the changes of each save without bodies; versions have bodies', async () => {
  const { library, clock } = openLibrary();
  const { id } = await library.save(CHECK);
  clock.advance(1_000);
  await library.save({ ...CHECK, id, description: 'ü', body: 'return "€";' });
  await library.save({ ...CHECK, id, group: 'Filling', name: 'Level', description: 'ü', body: 'return "€";' });
  const saved = { group: 'Packing', name: CHECK.name, savedBy: 'jane' };
  expect(library.history({ id })).toEqual([
    {
      version: 3,
      savedAt: '2026-08-01T10:15:01.000Z',
      savedBy: 'jane',
      group: 'Filling',
      name: 'Level',
      bytes: 13,
      changed: ['group', 'name'],
    },
    { version: 2, savedAt: '2026-08-01T10:15:01.000Z', ...saved, bytes: 13, changed: ['description', 'body'] },
    { version: 1, savedAt: '2026-08-01T10:15:00.000Z', ...saved, bytes: Buffer.byteLength(CHECK.body), changed: [] },
  ]);
  expect(library.version({ id, version: 2 })).toMatchObject({ scriptId: id, version: 2, body: 'return "€";' });
  expect(await thrownBy(() => library.version({ id, version: 4 }))).toMatchObject({ code: 'NOT_FOUND' });
  expect(await thrownBy(() => library.history({ id: 99 }))).toMatchObject({ code: 'NOT_FOUND' });
});

test('a version is found by the name that it had, whatever has that name now', async () => {
  const { library, clock } = openLibrary();
  const name = 'Packing/Check';
  const first = await library.save(CHECK);
  clock.advance(1_000);
  const atFirst = clock.iso();
  clock.advance(1_000);
  await library.save({ ...CHECK, id: first.id, group: 'Filling', name: 'Level' });
  const other = await library.save({ ...CHECK, body: 'return "another";' });
  clock.advance(1_000);
  const now = clock.iso();
  const named = (version: number, at: string, of = name) => library.named({ versions: [{ name: of, version, at }] })[0];
  expect(named(1, atFirst)).toEqual({ id: first.id, version: 2 });
  expect(named(1, now)).toEqual({ id: other.id, version: 1 });
  expect(named(2, now, 'Filling/Level')).toEqual({ id: first.id, version: 2 });
  // A renamed group saves no versions.
  await library.renameGroup({ name: 'Filling', newName: 'Filler' });
  expect(named(2, now, 'Filler/Level')).toEqual({ id: first.id, version: 2 });
  expect(named(2, now, 'Filling/Level')).toEqual({ id: first.id, version: 2 });
  await library.delete({ id: first.id });
  expect(named(1, atFirst)).toEqual({ id: first.id, version: null });
  expect(named(1, 'no time')).toEqual({ id: first.id, version: null });
  expect(named(1, now, 'Packing/Unknown')).toBeNull();
});

test('a save without changes creates no version and no notification', async () => {
  const { library, changes } = openLibrary();
  const { id } = await library.save(CHECK);
  const second = await library.save({ ...CHECK, id, body: 'return 2;', baseVersion: 1 });
  // As when the first response was lost and the client sends the save again.
  expect(await library.save({ ...CHECK, id, body: 'return 2;', baseVersion: 1 })).toEqual(second);
  expect(await library.save({ ...CHECK, id, body: 'return 2;', group: 'PACKING' })).toEqual(second);
  expect(library.versions({ id })).toHaveLength(2);
  expect(changes).toEqual([id, id]);
});

test('a save over an outdated version is rejected with the current one', async () => {
  const { library } = openLibrary();
  const { id } = await library.save(CHECK);
  const current = await library.save({ ...CHECK, id, body: 'theirs', baseVersion: 1 });
  const error = await thrownBy(() => library.save({ ...CHECK, id, body: 'mine', baseVersion: 1 }));
  expect(error.code).toBe('CONFLICT');
  expect(error.data).toEqual({ current });
  expect(library.get({ id }).body).toBe('theirs');
  expect((await library.save({ ...CHECK, id, body: 'mine', baseVersion: 2 })).version).toBe(3);
});

test('of two saves based on the same version the first wins, even in one turn', async () => {
  const { library } = openLibrary();
  const { id } = await library.save(CHECK);
  const [first, second] = await Promise.allSettled([
    library.save({ ...CHECK, id, body: 'a', baseVersion: 1 }),
    library.save({ ...CHECK, id, body: 'b', baseVersion: 1 }),
  ]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { body: 'a', version: 2 } });
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT', data: { current: { body: 'a' } } } });
});

test('names are unique in their group, regardless of case and Unicode form', async () => {
  const { library } = openLibrary();
  const { id } = await library.save({ ...CHECK, name: 'Prüfen' });
  for (const name of ['Prüfen', 'PRÜFEN', 'Pru\u0308fen']) {
    const error = await thrownBy(() => library.save({ ...CHECK, group: 'packing', name }));
    expect(error.code).toBe('CONFLICT');
    expect(error.data).toEqual({ id });
  }
  const other = await library.save({ ...CHECK, group: 'Filling', name: 'Prüfen' });
  expect((await thrownBy(() => library.save({ ...CHECK, id: other.id, name: 'prüfen' }))).data).toEqual({ id });
  // Another spelling of its own name is a normal rename.
  expect((await library.save({ ...CHECK, id, name: 'PRÜFEN' })).name).toBe('PRÜFEN');
});

test('a missing script is not found, with the nearest names', async () => {
  const { library } = openLibrary();
  for (const name of ['Check', 'Cheek', 'Count']) await library.save({ ...CHECK, name });
  const error = await thrownBy(() => library.get({ group: 'Pakcing', name: 'Chek' }));
  expect(error.code).toBe('NOT_FOUND');
  expect(error.message).toBe('No script is named "Pakcing/Chek". Did you mean "Packing/Check" or "Packing/Cheek"?');
  expect(error.data).toEqual({ suggestions: ['Packing/Check', 'Packing/Cheek'] });
  expect((await thrownBy(() => library.get({ group: 'x', name: 'y' }))).message).toBe(
    'No script is named "x/y". List the scripts to see the existing ones.',
  );
  for (const action of [
    () => library.get({ id: 99 }),
    () => library.versions({ id: 99 }),
    () => library.save({ ...CHECK, id: 99 }),
    () => library.delete({ id: 99 }),
    () => library.restore({ id: 99 }),
  ]) {
    expect(await thrownBy(action)).toMatchObject({ code: 'NOT_FOUND', data: { id: 99 } });
  }
});

test('a deleted script keeps its versions, frees its name, and can be restored', async () => {
  const { library, changes } = openLibrary();
  const script = await library.save(CHECK);
  const { id } = script;
  await library.delete({ id });
  expect(library.list()).toEqual({ groups: ['Packing'], scripts: [] });
  expect(library.versions({ id })).toHaveLength(1);
  for (const action of [
    () => library.get({ id }),
    () => library.get(CHECK),
    () => library.save({ ...CHECK, id }),
    () => library.delete({ id }),
  ]) {
    const error = await thrownBy(action);
    expect(error).toMatchObject({ code: 'NOT_FOUND', data: { deleted: id } });
    expect(error.message).toMatch(/was deleted\. Restore it/);
  }
  expect(await library.restore({ id })).toEqual(script);
  expect(await library.restore({ id })).toEqual(script);
  expect(changes).toEqual([1, 1, 1, 1]);
});

test('a script saved again under the name of a deleted one continues it', async () => {
  const { library, changes } = openLibrary();
  const { id } = await library.save(CHECK);
  await library.delete({ id });
  expect(await library.save({ ...CHECK, body: 'other' })).toMatchObject({ id, version: 2, body: 'other' });
  expect(library.versions({ id })).toHaveLength(2);
  await library.delete({ id });
  await library.deleteGroup({ name: CHECK.group });
  const shouted = { ...CHECK, group: CHECK.group.toUpperCase(), name: CHECK.name.toUpperCase(), body: 'third' };
  expect(await library.save(shouted)).toMatchObject({ ...shouted, id, version: 3 });
  await library.delete({ id });
  // Without a change there is no new version.
  expect(await library.save(shouted)).toMatchObject({ id, version: 3 });
  expect(library.list().scripts).toHaveLength(1);
  expect(changes).toEqual([id, id, id, id, null, id, id, id]);
});

test('a script whose name is taken is restored once the name is free', async () => {
  const { library } = openLibrary();
  const { id } = await library.save(CHECK);
  const other = await library.save({ ...CHECK, name: 'Other', body: 'other' });
  await library.delete({ id });
  const taken = await library.save({ ...CHECK, id: other.id });
  const error = await thrownBy(() => library.restore({ id }));
  expect(error).toMatchObject({ code: 'CONFLICT', data: { id: taken.id } });
  expect(error.message).toContain('Rename or delete that one first');
  await library.save({ ...CHECK, id: taken.id, name: 'Other' });
  expect((await library.restore({ id })).name).toBe('Check');
});

test('a script is restored to its renamed group, and recreates a deleted one', async () => {
  const { library } = openLibrary();
  const { id } = await library.save(CHECK);
  await library.delete({ id });
  await library.renameGroup({ name: 'packing', newName: 'Packaging' });
  expect((await library.restore({ id })).group).toBe('Packaging');

  await library.delete({ id });
  await library.deleteGroup({ name: 'Packaging' });
  expect(library.list()).toEqual({ groups: [], scripts: [] });
  expect((await thrownBy(() => library.get(CHECK))).data).toEqual({ suggestions: [], deleted: id });
  // Its last version was saved under the first name of the group.
  expect((await library.restore({ id })).group).toBe('Packing');
});

test('groups are created, renamed and deleted; names are unique', async () => {
  const { library, changes } = openLibrary();
  await library.createGroup({ name: 'Filling' });
  const { id } = await library.save(CHECK);
  expect(await thrownBy(() => library.createGroup({ name: 'FILLING' }))).toMatchObject({ code: 'CONFLICT' });
  expect(await thrownBy(() => library.renameGroup({ name: 'Packing', newName: 'filling' }))).toMatchObject({
    code: 'CONFLICT',
  });
  await library.renameGroup({ name: 'Packing', newName: 'PACKING' });
  expect(library.get({ id })).toMatchObject({ group: 'PACKING', version: 1 });

  const full = await thrownBy(() => library.deleteGroup({ name: 'Packing' }));
  expect(full).toMatchObject({ code: 'CONFLICT', data: { scripts: 1 } });
  expect(full.message).toBe('"PACKING" contains 1 script. Move or delete them first.');
  await library.deleteGroup({ name: 'filling' });
  expect(library.list().groups).toEqual(['PACKING']);
  const missing = await thrownBy(() => library.deleteGroup({ name: 'Pakcing' }));
  expect(missing).toMatchObject({ code: 'NOT_FOUND', data: { suggestions: ['PACKING'] } });
  expect(changes).toEqual([null, id, null, null]);
});

test('bodies read back exactly', async () => {
  const { library } = openLibrary();
  const bodies = [
    '\r\n\t x',
    'a\u0000b',
    '😀 ﬁ \u2028',
    '\ufeffreturn 1',
    `'"\`; DROP TABLE scripts; --`,
    'ü'.repeat(524_288),
  ];
  for (const [index, body] of bodies.entries()) {
    const { id } = await library.save({ ...CHECK, name: `n${index}`, body });
    expect(library.get({ id }).body === body).toBe(true);
    expect(library.versions({ id })[0]?.body === body).toBe(true);
  }
});
