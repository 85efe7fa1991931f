import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { QUALITIES } from '#domain/quality';
import { TAG_TYPES } from '#domain/tag';

const TYPINGS = readFileSync(resolve(import.meta.dirname, '../../../resources/typings/tagwright.d.ts'), 'utf8');

/** The texts of a union of literals. */
function literalsOf(type: string): string[] {
  const union = new RegExp(`type ${type} =([^;]*);`).exec(TYPINGS)?.[1] ?? '';
  return [...union.matchAll(/'([^']+)'/g)].map((found) => found[1] ?? '');
}

describe('the script typings', () => {
  it('know every quality and every type', () => {
    expect(literalsOf('TagQuality')).toEqual([...QUALITIES]);
    expect(literalsOf('TagType')).toEqual([...TAG_TYPES, 'Unknown']);
  });

  it('declare what a script finds, with a description each', () => {
    for (const name of ['tagName', 'tagScopeDiagram', 'tagScopeLocation', 'tagValue', 'TagValueManager', 'console']) {
      expect(TYPINGS).toMatch(new RegExp(`\\*/\\ndeclare const ${name}: `));
    }
  });
});
