import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { writeFailure } from '#contract/schemas';
import type { Json, JsonObject } from '#domain/text/json';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { thrownBy } from '../../../../support/thrown-by.ts';
import type { TagWorkspace } from '../tag-workspace.ts';
import { readOne, storage, tagOf, tagWorkspace } from '../tag-workspace.ts';
import { cpuMsOf } from '../../../../support/cpu-time.ts';
import { sampled } from '../../../../support/run/scale.ts';

const MOVEMENTS = 'Erp.Goods.Movements.Record';
const SCHEMA: JsonObject = {
  type: 'object',
  required: ['material', 'items'],
  additionalProperties: false,
  properties: {
    material: { type: 'string', pattern: '^[A-Z]{2}-\\d+$' },
    postedAt: { type: 'string', format: 'date-time' },
    items: {
      type: 'array',
      uniqueItems: true,
      items: { type: 'object', properties: { quantity: { type: 'integer' }, unit: { enum: ['PC', 'KG'] } } },
    },
  },
};

const erp = (path: string, settings: JsonObject = {}) => tagOf(path, 'erp', 'Json', settings);

async function movements(settings: JsonObject = { schema: SCHEMA }): Promise<TagWorkspace> {
  const made = tagWorkspace();
  await made.tags.definitions.save(erp(MOVEMENTS, settings));
  return made;
}

const sentIn = ({ database }: TagWorkspace): unknown[] =>
  database.prepare('SELECT id, tag_path AS tag, record, diagram, location FROM erp_outbox ORDER BY id').all();
/** The error of the one written item. */
const refusalOf = async ({ tags }: TagWorkspace, value: Json): Promise<unknown> => {
  const { data } = await thrownBy(() => tags.set({ items: [{ tag: MOVEMENTS, value }] }));
  return z
    .array(writeFailure)
    .parse(data['failures'])
    .map(({ tag, reason }) => ({ tag, reason }));
};

describe('an ERP tag', () => {
  test('reads null until a record is sent, then the last record, also after a restart', async () => {
    const made = await movements();
    expect(readOne(made.tags, MOVEMENTS)).toMatchObject({
      path: MOVEMENTS,
      value: null,
      quality: 'UncertainInitialValue',
      type: 'Json',
    });
    for (const material of ['AB-1', 'AB-2']) {
      await made.tags.set({ items: [{ tag: MOVEMENTS, value: { material, items: [] } }], diagram: 'Goods' });
    }
    for (const service of [made.tags, made.reopen()]) {
      expect(readOne(service, MOVEMENTS)).toMatchObject({ value: { material: 'AB-2', items: [] }, quality: 'Good' });
    }
    expect(sentIn(made)).toEqual([
      { id: 1, tag: MOVEMENTS, record: '{"material":"AB-1","items":[]}', diagram: 'Goods', location: '' },
      { id: 2, tag: MOVEMENTS, record: '{"material":"AB-2","items":[]}', diagram: 'Goods', location: '' },
    ]);
  });

  test.each([
    [{ material: 'AB-1', items: [{}, {}, {}, { quantity: 1.5 }] }, 'items[3].quantity must be integer'],
    [
      { material: 'AB-1', items: [{ unit: 'L' }] },
      'items[0].unit must be equal to one of the allowed values: "PC", "KG"',
    ],
    [
      {
        material: 'AB-1',
        items: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      'items must not have two equal items',
    ],
    [{ material: 'AB-1' }, 'items is required'],
    [{ material: 'AB-1', items: [], 'cost center': 1 }, '["cost center"] is not a member of the schema'],
    [{ material: 'AB-1', items: [], postedAt: 'today' }, 'postedAt must match format "date-time"'],
    [{ material: 'ab', items: [] }, 'material must match pattern "^[A-Z]{2}-\\d+$"'],
    [[{ material: 'AB-1' }], 'an ERP tag takes one record (an object), not an array of 1: write one item per record'],
    ['AB-1', 'an ERP tag takes one record (an object), not the text "AB-1"'],
    [7, 'an ERP tag takes one record (an object), not the number 7'],
    [null, 'an ERP tag takes one record (an object), not null'],
  ])('rejects %j and names the member', async (value, reason) => {
    const made = await movements();
    expect(await refusalOf(made, value)).toEqual([{ tag: MOVEMENTS, reason }]);
    expect(sentIn(made)).toEqual([]);
  });

  test('accepts any object if it has no schema, except one with endless nesting', async () => {
    const made = await movements({});
    await made.tags.set({ items: [{ tag: MOVEMENTS, value: { any: [1, null, { thing: true }] } }] });
    const deep: JsonObject = {};
    let at = deep;
    for (let level = 0; level < 600; level++) at = at['in'] = {};
    expect(await refusalOf(made, deep)).toMatchObject([{ reason: expect.stringContaining('more than 500 levels') }]);
    expect(sentIn(made)).toHaveLength(1);
  });

  test('sends the records of a Set in order, and none of a rejected Set', async () => {
    const made = await movements({});
    await made.tags.definitions.save(storage('Erp.State.Sent.Value', 'Int'));
    const { before, values } = await made.tags.session({ dryRun: false }).set(
      [
        { tag: MOVEMENTS, value: { n: 1 } },
        { tag: 'Erp.State.Sent.Value', value: 2 },
        { tag: MOVEMENTS, value: { n: 2 } },
      ],
      DEFAULT_SCOPE,
    );
    expect(before).toEqual([null, null, { n: 1 }]);
    expect(values.map(({ value }) => value)).toEqual([{ n: 1 }, 2, { n: 2 }]);
    const items = [
      { tag: MOVEMENTS, value: { n: 3 } },
      { tag: 'Erp.State.Sent.Value', value: 'many' },
    ];
    await thrownBy(() => made.tags.set({ items }));
    expect(sentIn(made)).toHaveLength(2);
    expect(readOne(made.tags, MOVEMENTS).value).toEqual({ n: 2 });
  });

  test('sends nothing in a dry run, which sees its own records', async () => {
    const made = await movements({});
    await made.tags.set({ items: [{ tag: MOVEMENTS, value: { n: 1 } }] });
    const session = made.tags.session({ dryRun: true });
    await session.set([{ tag: MOVEMENTS, value: { n: 2 } }], { diagram: 'Goods', location: '' });
    expect(await session.get([MOVEMENTS], DEFAULT_SCOPE)).toMatchObject([{ value: { n: 2 }, quality: 'Good' }]);
    expect(readOne(made.tags, MOVEMENTS).value).toEqual({ n: 1 });
    expect(sentIn(made)).toHaveLength(1);
  });

  test('that is deleted or changes its kind leaves its records in the outbox', async () => {
    const made = await movements({});
    await made.tags.set({ items: [{ tag: MOVEMENTS, value: { n: 1 } }] });
    await made.tags.definitions.save(storage(MOVEMENTS, 'Json'));
    await made.tags.definitions.save(erp(MOVEMENTS));
    expect(readOne(made.tags, MOVEMENTS)).toMatchObject({ value: null, quality: 'UncertainInitialValue' });
    await made.tags.set({ items: [{ tag: MOVEMENTS, value: { n: 2 } }] });
    await made.tags.definitions.delete({ paths: [MOVEMENTS] });
    await made.tags.definitions.save(erp(MOVEMENTS));
    expect(readOne(made.tags, MOVEMENTS).value).toBe(null);
    expect(sentIn(made)).toHaveLength(2);
  });
});

const many = (bad: number | null) =>
  Array.from({ length: 100_000 }, (_, n) => ({
    tag: MOVEMENTS,
    value: { material: 'AB-1', items: [{ quantity: n === bad ? 'many' : n, unit: 'PC' }] },
  }));

describe('100,000 records in one Set', () => {
  test('are all sent', async () => {
    const made = await movements();
    await made.tags.set({ items: many(null) });
    expect(sentIn(made)).toHaveLength(100_000);
    expect(readOne(made.tags, MOVEMENTS).value).toMatchObject({ items: [{ quantity: 99_999 }] });
  });

  test('are not sent if one is invalid, which is named', async () => {
    const made = await movements();
    const error = await thrownBy(() => made.tags.set({ items: many(77_777) }));
    expect(error.message).toContain('1 of 100000 items');
    expect(error.data['failures']).toEqual([
      { tag: MOVEMENTS, index: 77_777, reason: 'items[0].quantity must be integer' },
    ]);
    expect(sentIn(made)).toEqual([]);
    expect(readOne(made.tags, MOVEMENTS).value).toBe(null);
  });
});

test('accepts records of several MB', async () => {
  const made = await movements({});
  const text = 'ä"\n'.repeat(1_000_000);
  await made.tags.set({ items: [{ tag: MOVEMENTS, value: { text } }] });
  expect(readOne(made.reopen(), MOVEMENTS).value).toEqual({ text });
});

const numbered = (type: string): JsonObject => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://example.com/order',
  definitions: { number: { $id: 'https://example.com/number', type } },
  properties: { number: { $ref: 'number' } },
});

describe('a schema', () => {
  test.each([
    [{ type: 'thing' }, 'settings.schema.type: type must be equal to one of the allowed values'],
    [
      { properties: { a: { minimum: '5' } } },
      'settings.schema.properties.a.minimum: properties.a.minimum must be number',
    ],
    [
      { properties: { a: { $ref: '#/$defs/b' } } },
      'settings.schema.properties.a.$ref: "#/$defs/b" is not in this schema',
    ],
    [{ $ref: 'https://example.com/order.json' }, 'nothing is fetched from elsewhere'],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, 'settings.schema.$schema: write "https://json-schema.org'],
    [{ properties: { a: { pattern: '(a' } } }, 'settings.schema.properties.a.pattern: the pattern "(a" cannot be used'],
    [{ patternProperties: { '(?=a)': {} } }, 'settings.schema.patternProperties: the pattern "(?=a)" cannot be used'],
    [{ $async: true }, 'settings.schema.$async: asynchronous schemas'],
    [{ required: 'a' }, 'settings.schema.required: required must be array'],
    [{ enum: ['x'.repeat(300_000)] }, 'a schema has at most 262144 characters'],
    ['object', 'settings.schema: write a JSON Schema, an object'],
  ])('%# that is invalid is rejected with the position when the tag is saved', async (schema, message) => {
    const { tags } = tagWorkspace();
    const error = await thrownBy(() => tags.definitions.save(erp(MOVEMENTS, { schema })));
    expect(error.code).toBe('BAD_REQUEST');
    expect(error.message).toContain(message);
    const { refused } = await tags.definitions.import({
      format: 'json',
      text: JSON.stringify([storage('A.B.C'), erp(MOVEMENTS, { schema })]),
    });
    expect(refused).toMatchObject([{ row: 2, path: MOVEMENTS, reason: expect.stringContaining('settings.schema') }]);
    expect(tags.definitions.size).toBe(0);
  });

  test('is allowed only for tags of type Json', async () => {
    const { tags } = tagWorkspace();
    const error = await thrownBy(() => tags.definitions.save(tagOf(MOVEMENTS, 'erp', 'String')));
    expect(error.data['issues']).toEqual([{ path: ['type'], message: 'an ERP tag has records: its type is Json' }]);
  });

  test('with endless recursion is rejected; one that recurs in its parts is not', async () => {
    const made = tagWorkspace();
    const parts = Array.from({ length: 40 }, (_, n): [string, JsonObject] => {
      const next = { $ref: `#/$defs/p${n + 1}` };
      return [`p${n}`, n === 39 ? {} : { allOf: [next, next] }];
    });
    const bomb = { $defs: Object.fromEntries(parts), $ref: '#/$defs/p0' };
    expect((await thrownBy(() => made.tags.definitions.save(erp(MOVEMENTS, { schema: bomb })))).message).toContain(
      'so often that',
    );
    const tree = { type: 'object', properties: { name: { type: 'string' }, parts: { items: { $ref: '#' } } } };
    await made.tags.definitions.save(erp(MOVEMENTS, { schema: tree }));
    expect(await refusalOf(made, { parts: [{ parts: [{ name: 1 }] }] })).toEqual([
      { tag: MOVEMENTS, reason: 'parts[0].parts[0].name must be string' },
    ]);
  });

  const REFERENCES: [string, named: (n: number) => JsonObject, to: (n: number) => string][] = [
    ['anchors', (n) => ({ $anchor: `p${n}` }), (n) => `#p${n}`],
    ['encoded pointers', () => ({}), (n) => `#/%24defs/p${n}`],
    ['names', (n) => ({ $id: `https://example.com/p${n}` }), (n) => `https://example.com/p${n}`],
  ];
  test.each(sampled(REFERENCES, 1))(
    'whose parts double by %s is stopped, and skipped until it is saved',
    async (_, named, to) => {
      const either = (n: number): JsonObject => ({ anyOf: [{ $ref: to(n) }, { $ref: to(n) }] });
      const parts = Array.from({ length: 40 }, (__, n): [string, JsonObject] => [
        `p${n}`,
        { ...named(n), ...(n === 39 ? { required: ['never'] } : either(n + 1)) },
      ]);
      const made = await movements({ schema: { $defs: Object.fromEntries(parts), $ref: to(0) } });
      expect(await refusalOf(made, { a: 1 })).toEqual([
        { tag: MOVEMENTS, reason: 'the schema cannot be applied to it (it took longer than 1,000 ms)' },
      ]);
      const again = async () =>
        expect(await refusalOf(made, { a: 1 })).toEqual([
          { tag: MOVEMENTS, reason: expect.stringContaining('retried after a minute, or when the tag is saved') },
        ]);
      expect(await cpuMsOf(again)).toBeLessThan(500);
      await made.tags.definitions.save(erp(MOVEMENTS));
      await made.tags.set({ items: [{ tag: MOVEMENTS, value: { a: 1 } }] });
    },
  );

  test('that doubles its work per level is stopped for a deep record, not a flat one', async () => {
    const inner = { properties: { part: { $ref: '#/$defs/part' } } };
    const made = await movements({
      schema: {
        $defs: { part: { oneOf: [inner, { allOf: [inner, { required: ['never'] }] }] } },
        $ref: '#/$defs/part',
      },
    });
    await made.tags.set({ items: [{ tag: MOVEMENTS, value: { part: { part: {} } } }] });
    let deep: Json = {};
    for (let level = 0; level < 60; level += 1) deep = { part: deep };
    expect(await refusalOf(made, deep)).toEqual([
      { tag: MOVEMENTS, reason: 'the schema cannot be applied to it (it took longer than 1,000 ms)' },
    ]);
  });

  test('is stopped if a text would occupy a format check of the library forever', async () => {
    const made = await movements({ schema: { properties: { link: { format: 'url' } } } });
    expect(await refusalOf(made, { link: `http://${':'.repeat(2_000_000)}` })).toEqual([
      { tag: MOVEMENTS, reason: 'the schema cannot be applied to it (it took longer than 1,000 ms)' },
    ]);
  });

  test('cannot block the process with a pattern', async () => {
    const made = await movements({ schema: { properties: { a: { pattern: '^(a+)+$' } } } });
    const refuse = async () => expect(await refusalOf(made, { a: `${'a'.repeat(100_000)}!` })).toHaveLength(1);
    expect(await cpuMsOf(refuse)).toBeLessThan(2_000);
  });

  test('may have the $id of another schema, and parts with an $id', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save(erp('Erp.A.Record', { schema: numbered('integer') }));
    await tags.definitions.save(erp('Erp.B.Record', { schema: numbered('string') }));
    await tags.set({ items: [{ tag: 'Erp.B.Record', value: { number: 'x' } }] });
    const error = await thrownBy(() => tags.set({ items: [{ tag: 'Erp.A.Record', value: { number: 'x' } }] }));
    expect(error.message).toContain('number must be integer');
  });

  test('that an older version saved incorrectly rejects writes with the reason', async () => {
    const made = await movements({});
    made.database.prepare('UPDATE tags SET settings = ?').run('{"schema":{"type":"thing"}}');
    const error = await thrownBy(() => made.reopen().set({ items: [{ tag: MOVEMENTS, value: {} }] }));
    expect(error.message).toContain('its schema is invalid, save the tag again: schema.type: type must be equal');
  });
});
