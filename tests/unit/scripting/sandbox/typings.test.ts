import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { QUALITIES } from '#domain/tag/quality';
import { TAG_TYPES } from '#domain/tag/tag';
import { API_PARAMETERS } from '#domain/mock/api-call';

const TYPINGS = readFileSync(resolve(import.meta.dirname, '../../../../resources/typings/tagwright.d.ts'), 'utf8');

/** The texts in a union of literals. */
function literalsOf(type: string): string[] {
  const union = new RegExp(`type ${type} =([^;]*);`).exec(TYPINGS)?.[1] ?? '';
  return [...union.matchAll(/'([^']+)'/g)].map((found) => found[1] ?? '');
}

describe('the script typings', () => {
  test('have every quality and every type', () => {
    expect(literalsOf('TagQuality')).toEqual([...QUALITIES]);
    expect(literalsOf('TagType')).toEqual([...TAG_TYPES, 'Unknown']);
  });

  test('have the parameters of every ApiValueManager method in the required order', () => {
    for (const [operation, parameters] of Object.entries(API_PARAMETERS)) {
      const declared = new RegExp(`^  ${operation}\\(([^)]*)\\)`, 'm').exec(TYPINGS)?.[1] ?? '';
      const names = [...declared.matchAll(/(\w+)\??:/g)].map((found) => found[1]);
      expect([operation, ...names]).toEqual([operation, ...parameters]);
    }
  });

  test('declare everything available to a script, each with a description', () => {
    for (const name of [
      'tagName',
      'tagScopeDiagram',
      'tagScopeLocation',
      'tagValue',
      'TagValueManager',
      'ApiValueManager',
      'console',
      'btoa',
      'atob',
      'TextEncoder',
      'TextDecoder',
      'URL',
      'URLSearchParams',
      'structuredClone',
      'crypto',
    ]) {
      expect(TYPINGS).toMatch(new RegExp(`\\*/\\ndeclare const ${name}: `));
    }
  });
});
