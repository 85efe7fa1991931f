import { fc } from '../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { inheritanceOf, scopeOf } from '#domain/tag/scope';

const part = fc.option(fc.string(), { nil: '' });

describe('scopes', () => {
  test('null, undefined and an empty text are the internal default', () => {
    expect(scopeOf(null, undefined)).toEqual({ diagram: '', location: '' });
    expect(scopeOf('', 'Hall 2')).toEqual({ diagram: '', location: 'Hall 2' });
    expect(scopeOf('Filler', null)).toEqual({ diagram: 'Filler', location: '' });
  });

  test('inherits by Diagram and location, then either, then the default scope', () => {
    expect(inheritanceOf({ diagram: 'D', location: 'L' })).toEqual([
      { diagram: 'D', location: 'L' },
      { diagram: 'D', location: '' },
      { diagram: '', location: 'L' },
      { diagram: '', location: '' },
    ]);
  });

  test('starts with the scope itself, ends with the default, without duplicates', () => {
    fc.assert(
      fc.property(part, part, (diagram, location) => {
        const chain = inheritanceOf(scopeOf(diagram, location));
        expect(chain[0]).toEqual({ diagram, location });
        expect(chain.at(-1)).toEqual({ diagram: '', location: '' });
        expect(new Set(chain.map((scope) => JSON.stringify(scope))).size).toBe(chain.length);
        expect(chain.length).toBe(2 ** ((diagram ? 1 : 0) + (location ? 1 : 0)));
      }),
    );
  });
});
