import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutTypesOfPages } from '../../../../src-renderer/build/script-types.ts';

const TYPES = createRequire(import.meta.url).resolve('monaco-editor/languages/features/typescript/lib/lib.js');

const namesIn = async (text: string): Promise<Map<string, string>> => {
  const module: { libFileMap: Record<string, string> } = await import(
    `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
  );
  return new Map(Object.entries(module.libFileMap));
};

test('the types of pages and web workers are omitted, and all others stay as they are', async () => {
  const text = readFileSync(TYPES, 'utf8');
  const [before, after] = [await namesIn(text), await namesIn(withoutTypesOfPages(text))];
  const isOfPages = (name: string) => /^lib\.(dom|webworker)\./.test(name);
  expect([...before.keys()].filter(isOfPages)).toContain('lib.dom.d.ts');
  expect(after).toEqual(new Map([...before].filter(([name]) => !isOfPages(name))));
});

test('the types of scripts refer to none of the omitted ones', async () => {
  const kept = await namesIn(withoutTypesOfPages(readFileSync(TYPES, 'utf8')));
  // The `lib` of the editor's compiler options.
  const reached = new Set(['es2023']);
  for (const name of reached) {
    const text = kept.get(`lib.${name}.d.ts`);
    expect(text, name).toBeDefined();
    for (const [, next = ''] of (text ?? '').matchAll(/<reference lib="([^"]+)"/g)) reached.add(next);
  }
  expect([...reached]).toContain('decorators');
});

test('a package with other lines is an error', () => {
  expect(() => withoutTypesOfPages('export const libFileMap = {};')).toThrow('no types of pages');
});
