import { fc } from '../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/text/json';
import { parseJson } from '#domain/text/json';
import { problemOfTagPath } from '#domain/tag/tag-path';
import type { TagDefinition } from '#domain/tag/tag';
import { turnsDuring } from '../../../support/turns.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { machine, readNow, storage, tagOf, tagWorkspace } from './tag-workspace.ts';

const text = fc.string({
  maxLength: 40,
  unit: fc.oneof(
    fc.constantFrom(...Array.from(',;"\'\r\n\t =+-@#\ufeff°ß')),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
});
const path = fc
  .array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 3, maxLength: 5 })
  .map((parts) => parts.join('.'));
const settings = fc
  .array(fc.tuple(fc.string({ maxLength: 8 }), fc.json({ maxDepth: 2 })))
  .map((members): JsonObject => Object.fromEntries(members.map(([name, value]) => [name, parseJson(value)])));
/** Schemas as people write them, with names and texts of every sort. */
const recordSettings = fc
  .option(
    fc.record({
      $schema: fc.constantFrom(
        'https://json-schema.org/draft/2020-12/schema',
        'http://json-schema.org/draft-07/schema#',
      ),
      description: text,
      type: fc.constant('object'),
      properties: fc.dictionary(fc.string({ maxLength: 8 }), fc.record({ type: fc.constantFrom('string', 'integer') })),
      required: fc.uniqueArray(fc.string({ maxLength: 8 })),
      examples: fc.array(fc.json({ maxDepth: 2 }).map(parseJson), { maxLength: 2 }),
    }),
    { nil: null },
  )
  .map((schema): JsonObject => (schema === null ? {} : { schema }));
const definition = fc
  .record({
    path: path.filter((one) => problemOfTagPath(one) === null),
    description: text,
    unit: fc.string({ maxLength: 10 }).filter((unit) => !/[\u0000-\u001f\u007f-\u009f]/.test(unit)),
    kind: fc.constantFrom('storage', 'machine', 'erp', 'db'),
  })
  .chain(({ kind, ...rest }) => {
    const type = kind === 'erp' ? 'Json' : 'String';
    const own: fc.Arbitrary<JsonObject> =
      kind === 'storage'
        ? fc.record({ initial: text }).map((one): JsonObject => one)
        : kind === 'machine'
          ? text.map((value): JsonObject => ({ signal: { kind: 'constant', value }, noise: 0, updateMs: 5 }))
          : kind === 'erp'
            ? recordSettings
            : settings;
    return own.map((chosen): TagDefinition => Object.assign({ kind, type, settings: chosen } as const, rest));
  });

describe('import and export', () => {
  test.each(['csv', 'json'] as const)(
    'an export as %s is the same after an import into another workspace',
    async (format) => {
      const definitions = fc.uniqueArray(definition, { selector: (one) => one.path, minLength: 1, maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(definitions, async (given) => {
          const here = tagWorkspace();
          await Promise.all(given.map((one) => here.tags.definitions.save(one)));
          const exported = here.tags.definitions.export({ format });
          expect(exported.count).toBe(given.length);
          const there = tagWorkspace();
          expect(await there.tags.definitions.import({ format, text: exported.text })).toEqual({
            created: given.length,
            updated: 0,
            refused: [],
          });
          expect(there.tags.definitions.list({})).toEqual(here.tags.definitions.list({}));
          expect(there.reopen().definitions.export({ format })).toEqual(exported);
        }),
        { numRuns: 25 },
      );
    },
  );

  test('an export as CSV can be read by a spreadsheet', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save({
      ...storage('A.B.C', 'Double', { initial: 1.5 }),
      unit: '°C',
      description: 'says "hot", mostly',
    });
    await tags.definitions.save(storage('A.B.D', 'String'));
    expect(tags.definitions.export({ format: 'csv' }).text).toBe(
      'path,kind,type,unit,description,settings\r\n' +
        'A.B.C,storage,Double,°C,"says ""hot"", mostly","{""initial"":1.5}"\r\n' +
        'A.B.D,storage,String,,,{}\r\n',
    );
    expect(tags.definitions.export({ format: 'csv', filter: 'c' }).count).toBe(1);
    expect(tags.definitions.export({ format: 'json', filter: 'nothing' })).toEqual({ text: '[]\n', count: 0 });
  });

  test('an import reads handwritten CSV', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save(storage('A.B.C', 'Int', { initial: 1 }));
    await tags.set({ items: [{ tag: 'A.B.C', value: 7 }] });
    const csv = '\ufeffType, Path ,KIND\nInt,A.B.C,storage\n\nString,A.B.D,storage\n';
    expect(await tags.definitions.import({ format: 'csv', text: csv })).toEqual({
      created: 1,
      updated: 1,
      refused: [],
    });
    expect(tags.definitions.list({}).tags).toEqual([storage('A.B.C', 'Int'), storage('A.B.D', 'String')]);
    expect(readNow(tags, { paths: ['A.B.C'] })[0]?.value).toBe(7);
  });

  test.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['commas', ','],
  ])('an import reads CSV saved by a spreadsheet with %s and empty columns', async (_, separator) => {
    const { tags } = tagWorkspace();
    const rows = [
      ['path', 'kind', 'type', 'description', 'settings', '', ''],
      ['A.B.C', 'storage', 'Int', '"3,5 bar; and\tmore"', '"{""initial"": 7}"', '', ''],
      ['A.B.D', 'storage', 'Int', '', '', ' '],
    ];
    const csv = `\ufeff${rows.map((row) => row.join(separator)).join('\r\n')}`;
    expect(await tags.definitions.import({ format: 'csv', text: csv })).toEqual({
      created: 2,
      updated: 0,
      refused: [],
    });
    expect(tags.definitions.definition({ path: 'A.B.C' })).toMatchObject({
      description: '3,5 bar; and\tmore',
      settings: { initial: 7 },
    });
  });

  test('an import with invalid rows imports nothing, and lists each with the reason', async () => {
    const { tags, reopen } = tagWorkspace();
    const csv = [
      'path,kind,type,unit,description,settings',
      'A.B.Good,storage,Int,,,',
      'A.B,storage,Int,,,',
      '',
      'A.B.Kind,OPCUA,Int,,,',
      'A.B.Type,storage,Number,,,"{""initial"":1}"',
      'A.B.Json,storage,Int,,"two',
      'lines",{initial}',
      'A.B.Good,storage,Int,,,',
      'A.B.Initial,storage,Int,,,"{""initial"":1.5}"',
      'A.B.Fields,storage,Int,a,comma, too many,{}',
      '__proto__,storage,Int,,,',
    ].join('\r\n');
    const result = await tags.definitions.import({ format: 'csv', text: csv });
    expect(result.created + result.updated).toBe(0);
    expect(result.refused).toEqual([
      { row: 3, path: 'A.B', reason: expect.stringContaining('at least three segments') },
      { row: 5, path: 'A.B.Kind', reason: expect.stringMatching(/^kind: must be one of "machine", .*, not "OPCUA"$/) },
      { row: 6, path: 'A.B.Type', reason: expect.stringMatching(/^type: must be one of .*, not "Number"$/) },
      { row: 7, path: 'A.B.Json', reason: expect.stringContaining('settings: not JSON') },
      { row: 8, path: 'A.B.Good', reason: 'the path is already in row 2' },
      { row: 9, path: 'A.B.Initial', reason: expect.stringContaining('the number 1.5 cannot be converted to Int') },
      { row: 10, path: 'A.B.Fields', reason: expect.stringContaining('it has 7 fields, but the first row has 6') },
      { row: 11, path: '__proto__', reason: expect.stringContaining('at least three segments') },
    ]);
    expect([tags.definitions.size, reopen().definitions.size]).toEqual([0, 0]);

    const json = JSON.stringify([
      storage('A.B.C'),
      7,
      { path: 'A.B.D' },
      { ...storage('A.B.E'), color: 'red' },
      storage('A.B.C'),
    ]);
    expect((await tags.definitions.import({ format: 'json', text: json })).refused).toEqual([
      { row: 2, path: '', reason: 'a tag is an object with path, kind and type' },
      { row: 3, path: 'A.B.D', reason: expect.stringMatching(/^kind: is missing: write one of /) },
      {
        row: 4,
        path: 'A.B.E',
        reason:
          'tag: "color" is not a field here: remove it, or write path, kind, type, unit, format, description, settings',
      },
      { row: 5, path: 'A.B.C', reason: 'the path is already in row 1' },
    ]);
    expect(tags.definitions.size).toBe(0);
  });

  test.each([
    ['csv', '', 'missing: path, kind, type'],
    ['csv', 'name,value\nx,1', 'missing: path, kind, type'],
    ['csv', 'path,kind,type,color\n', 'unknown or duplicate column: color'],
    ['csv', 'path,kind,type,path\n', 'unknown or duplicate column: path'],
    ['csv', 'path,,kind,type\n', 'unknown or duplicate column: ""'],
    ['csv', 'path,kind,type\nA.B.C,"storage,Int', 'Quote Not Closed'],
    ['json', '[{]', 'JSON'],
    ['json', '{"path":"A.B.C"}', 'it must be an array of tags'],
  ] as const)('an import rejects %s text %j as a whole', async (format, given, message) => {
    const { tags } = tagWorkspace();
    const error = await thrownBy(() => tags.definitions.import({ format, text: given }));
    expect(error.code).toBe('BAD_REQUEST');
    expect(error.message).toContain(message);
  });

  test('an import replaces kinds and types as a save does', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save(storage('A.B.C', 'String'));
    await tags.set({ items: [{ tag: 'A.B.C', value: '5' }] });
    const rows = [
      storage('A.B.C', 'Int'),
      tagOf('A.B.D', 'machine', 'Int', { signal: { kind: 'constant', value: 2 } }),
    ];
    expect(await tags.definitions.import({ format: 'json', text: JSON.stringify(rows) })).toMatchObject({
      created: 1,
      updated: 1,
    });
    expect(readNow(tags, { paths: ['A.B.C', 'A.B.D'] }).map(({ value }) => value)).toEqual([5, 2]);
  });

  test.each(['csv', 'json'] as const)('an import rejects %s settings with endless nesting', async (format) => {
    const { tags } = tagWorkspace();
    const deep = `{"any":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const given = {
      csv: `path,kind,type,settings\nA.B.C,erp,Json,"${deep.replaceAll('"', '""')}"`,
      json: `[{"path":"A.B.C","kind":"erp","type":"Json","settings":${deep}}]`,
    }[format];
    expect((await tags.definitions.import({ format, text: given })).refused).toMatchObject([
      { path: 'A.B.C', reason: expect.stringContaining('nested more than') },
    ]);
  });

  test('an import of 50,000 tags does not block others', async () => {
    const { tags, reopen } = tagWorkspace();
    const definitions = Array.from({ length: 50_000 }, (_, index) =>
      storage(`Plant.Machine${index}.Count.Value`, 'Int'),
    );
    const importing = tags.definitions.import({ format: 'json', text: JSON.stringify(definitions) });
    expect(await turnsDuring(() => importing)).toBeGreaterThan(8);
    expect((await importing).created).toBe(50_000);
    const rows = definitions.map((tag) => `${tag.path},${tag.kind},${tag.type}`);
    const again = tags.definitions.import({
      format: 'csv',
      text: `path,kind,type\r\n${rows.join('\r\n')},one too many`,
    });
    expect(await turnsDuring(() => again)).toBeGreaterThan(8);
    expect(await again).toMatchObject({
      updated: 0,
      refused: [{ row: 50_001, path: 'Plant.Machine49999.Count.Value' }],
    });
    expect(reopen().definitions.size).toBe(50_000);
    const sizes = new Set([0]);
    const looking = setInterval(() => sizes.add(tags.definitions.size), 1);
    const deleting = tags.definitions.delete({ paths: definitions.map((tag) => tag.path) });
    expect(await turnsDuring(() => deleting)).toBeGreaterThan(5);
    clearInterval(looking);
    expect([[...sizes], tags.definitions.size, reopen().definitions.size]).toEqual([[0, 50_000], 0, 0]);
  });

  test('an import of many tags changes nothing if one of the last is rejected', async () => {
    const { tags, database, reopen } = tagWorkspace();
    const paths = Array.from({ length: 3_000 }, (_, index) => `Plant.Machine${index}.Count.Value`);
    await tags.definitions.import({ format: 'json', text: JSON.stringify(paths.map((one) => storage(one, 'Int'))) });
    await tags.set({ items: [{ tag: 'Plant.Machine7.Count.Value', value: 7 }] });
    database.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON tags WHEN NEW.path LIKE '%2999%' AND NEW.type = 'String'
      BEGIN SELECT RAISE(ABORT, 'no room for it'); END`);
    const others = [storage('Plant.New.Count.Value', 'Int'), ...paths.map((one) => storage(one, 'String'))];
    await expect(tags.definitions.import({ format: 'json', text: JSON.stringify(others) })).rejects.toThrow(
      'no room for it',
    );
    database.exec('DROP TRIGGER refuse');
    expect([tags.definitions.size, reopen().definitions.size]).toEqual([3_000, 3_000]);
    expect(readNow(tags, { paths: ['Plant.Machine7.Count.Value'] })).toMatchObject([{ value: 7, type: 'Int' }]);
    await tags.set({ items: paths.map((tag) => ({ tag, value: 8 })) });
    expect(readNow(reopen(), { paths: ['Plant.Machine7.Count.Value'] })).toMatchObject([{ value: 8, type: 'Int' }]);
  });
});

test('an import reports beforehand which stored values it would drop', async () => {
  const { tags, database } = tagWorkspace();
  const [level, state, speed] = ['Line.A.Level.Value', 'Line.A.State.Value', 'Line.A.Speed.Value'];
  await tags.definitions.save(storage(level, 'Double'));
  await tags.definitions.save(storage(state, 'String'));
  await tags.definitions.save(machine(speed, { kind: 'constant', value: 1 }));
  await tags.set({ items: [{ tag: level, value: 1.5 }] });
  await tags.set({ items: [{ tag: level, value: 2 }], location: 'Hall' });
  await tags.set({ items: [{ tag: state, value: 'on' }] });
  await tags.set({ items: [{ tag: speed, value: 1.6 }] });
  const changed = [storage(level, 'Int'), storage(state, 'String'), { ...storage(speed, 'Double') }];
  const file = { format: 'json', text: JSON.stringify(changed) } as const;
  expect(await tags.definitions.losses(file)).toEqual({
    losses: [
      { path: level, from: 'Double', to: 'Int', values: 1 },
      { path: speed, from: 'machine', to: 'storage', values: 1 },
    ],
  });
  const stored = () => database.prepare('SELECT count(*) FROM storage_values').pluck().get();
  expect(stored()).toBe(3);
  // In one call: it imports nothing and lists them.
  const { losses } = await tags.definitions.losses(file);
  expect(await tags.definitions.import({ ...file, keepValues: true })).toEqual({
    created: 0,
    updated: 0,
    refused: [],
    losses,
  });
  expect([stored(), tags.definitions.definition({ path: level }).type]).toEqual([3, 'Double']);
  await tags.definitions.import(file);
  expect(stored()).toBe(2);
  expect(await tags.definitions.losses(file)).toEqual({ losses: [] });
  // A rejected import drops nothing.
  const rejected = JSON.stringify([storage(state, 'Int'), { path: 'no' }]);
  expect(await tags.definitions.losses({ format: 'json', text: rejected })).toMatchObject({
    losses: [],
    refused: [{ row: 2, path: 'no' }],
  });
});
