import { expect, test } from 'vitest';
import { stringUseAfter } from '../../../../../src-renderer/features/scripts/editor/language/string-use.ts';

test.each([
  ['the array of a Get', 'return TagValueManager.Get([', 'path'],
  ['a later element', "TagValueManager.Get(['A.B.C', ", 'path'],
  ['the tag of a Set', 'TagValueManager.Set([{ value: 1 }, { tag: ', 'path'],
  ['the value of a Set', "TagValueManager.Set([{ tag: 'A.B.C', value: ", 'other'],
  ['a declaration', 'const FILLER = ', 'path'],
  ['a list', "const ALL = [\n  'A.B.C',\n  ", 'path'],
  ['an own function', 'const [a] = read(', 'path'],
  ['a branch', 'const p = on ? ', 'path'],
  ['the Diagram of a Get', "TagValueManager.Get(['A.B.C'], ", 'diagram'],
  ['the location of a Set', 'TagValueManager.Set(items, null, ', 'location'],
  ['the location of a Get', "TagValueManager.Get(['A.B.C'], 'Line', ", 'location'],
  ['an argument after it', 'TagValueManager.Get(tags, null, null, ', 'other'],
  ['a verb', "ApiValueManager.Fetch('https://x', ", 'verb'],
  ['a verb after a nested call', 'ApiValueManager.FetchWithApiKey(url([1, 2], { a: 3 }), ', 'verb'],
  ['a payload', "ApiValueManager.Fetch(u, 'post', ", 'other'],
  ['a media type', "ApiValueManager.Fetch(u, 'post', p, h, ", 'mediaType'],
  ['the media type of an image', 'ApiValueManager.GetImage(u, null, ', 'mediaType'],
  ['a compared quality', 'if (read.Value[0].Quality === ', 'quality'],
  ['the start of a quality', 'if (item.Quality.startsWith(', 'quality'],
  ['another comparison', 'if (name === ', 'other'],
  ['a method of another object', 'console.log(', 'other'],
  ['an error', 'throw new Error(', 'other'],
  ['a result', 'return ', 'other'],
  ['a part of a text', "const p = 'A.' + ", 'other'],
  ['an index', 'row[', 'other'],
  ['another property', 'const o = { name: ', 'other'],
  ['unfinished text before it', 'foo((\nconst A = ', 'path'],
])('%s', (_what, before, use) => {
  expect(stringUseAfter(before)).toBe(use);
});
