import { describe, expect, test } from 'vitest';
import {
  faultInText,
  placeOfMember,
  placeText,
  placeWithoutValue,
} from '../../../../src-main/scripting/capsules/json-places.ts';
import { fc } from '../../../support/run/random.ts';

const bytes = (text: string) => Buffer.from(text);
const faultOf = (text: string) => faultInText(bytes(text));

/** Every value of a JSON value with its path. */
function* valuesOf(value: unknown, path: (string | number)[] = []): Generator<[(string | number)[], unknown]> {
  yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  const names = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const name of names) yield* valuesOf(Reflect.get(value, name), [...path, name]);
}

describe('a JSON text before it is parsed', () => {
  test('valid texts have no fault', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        fc.pre(!JSON.stringify(value).includes('__proto__'));
        expect(faultOf(JSON.stringify(value, null, indent))).toBeNull();
      }),
    );
  });

  test('a member __proto__ is found, however it is written, but not a text', () => {
    for (const name of ['"__proto__"', '"\\u005f_proto__"', '"\\u005F\\u005f\\u0070roto__"']) {
      expect(faultOf(`{"a": [{${name} :1}]}`)).toEqual({ reason: 'a member is called "__proto__"', at: 8 });
    }
    for (const fine of [
      '["__proto__"]',
      '{"a":"__proto__"}',
      '{"\\\\u005f_proto__":1}',
      '{"a\\"__proto__":1}',
      '{"__proto":1}',
    ])
      expect(faultOf(fine)).toBeNull();
  });

  test('nesting and parts are limited; brackets in texts are none', () => {
    expect(faultOf('['.repeat(560))).toBeNull();
    expect(faultOf('['.repeat(561))).toEqual({ reason: 'it is nested more than 560 levels deep', at: 560 });
    expect(faultOf(`"${'[{,'.repeat(9_000_000)}"`)).toBeNull();
    expect(faultOf('[],'.repeat(5_000_001))?.reason).toBe('it has more than 10,000,000 parts');
  });

  test('ends at any broken text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ':', ' ', 'a', '_') }),
        (text) => void faultOf(text),
      ),
    );
    expect(faultOf(`"${'\\'.repeat(3_000_000)}`)).toBeNull();
  });
});

describe('the place of something else instead of a value', () => {
  test.each([
    ['[1,]', 3],
    ['{"a": }', 6],
    ['[[], {}, [ ], tru]', 17],
    ['{"a": [NaN]}', 7],
    ['[.5]', 1],
    ['{"a": “x”}', 6],
    ['// c', 0],
    ['[1, [2, 3],\n ]', 13],
    ['["],[", fals', 12],
    ['["', 2],
  ])('%j: at %d', (text, at) => {
    expect(placeWithoutValue(bytes(text))).toBe(at);
  });

  test('valid texts have none', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const text = bytes(JSON.stringify(value, null, indent));
        expect(placeWithoutValue(text)).toBe(text.length);
      }),
    );
  });

  test('is found whenever the parser has no place for a fault', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('[', ']', '{', '}', ',', ':', '"a"', '1', 'true', 'nul', ' ', '.'), { maxLength: 8 }),
        (parts) => {
          const text = parts.join('');
          let message = '';
          try {
            JSON.parse(text);
          } catch (thrown) {
            message = String(thrown);
          }
          fc.pre(message.startsWith('SyntaxError: Unexpected token'));
          const [, found = ''] = /Unexpected token '(.)'/u.exec(message) ?? [];
          expect(text[placeWithoutValue(bytes(text))]).toBe(found);
        },
      ),
    );
  });
});

describe('the place of a member', () => {
  test('is where its text begins', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        for (const [path, member] of valuesOf(JSON.parse(text))) {
          const at = placeOfMember(bytes(text), path);
          const rest = bytes(text).toString('utf8', at);
          const compact = JSON.stringify(member);
          expect(indent === 0 ? rest.startsWith(compact) : rest[0] === compact[0]).toBe(true);
        }
      }),
    );
  });

  test('of a missing one is that of the nearest one around it', () => {
    expect(placeOfMember(bytes('{"a": {"b": 1}}'), ['a', 'c', 'd'])).toBe(6);
    expect(placeOfMember(bytes('{"a": [1]}'), ['a', 5])).toBe(6);
  });

  test('is shown as line and column, in characters', () => {
    expect(placeText(bytes('a\nbc'), 3)).toBe('at line 2, column 2');
    expect(placeText(bytes('äöü!'), 6)).toBe('at line 1, column 4');
    expect(placeText(bytes(''), 0)).toBe('at line 1, column 1');
  });
});
