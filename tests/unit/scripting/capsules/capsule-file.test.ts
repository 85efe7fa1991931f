import { describe, expect, test } from 'vitest';
import { capsuleText, readCapsule } from '../../../../src-main/scripting/capsules/capsule-file.ts';
import { messageOf } from '../../../../src-main/platform/errors.ts';
import { capsuleOf } from './capsule-of.ts';

const { hash: _, ...content } = capsuleOf([]);
const text = capsuleText(content);

function problemOf(changed: string): string {
  try {
    readCapsule(Buffer.from(changed));
    return '';
  } catch (thrown) {
    return messageOf(thrown);
  }
}

// `tagwright replay` and the thread that checks capsules load this file without the contract's error messages.
describe('the file of a capsule', () => {
  test.each<[string, (text: string) => string, string]>([
    [
      'a limit',
      (it) => it.replace('1000,', '1e300,'),
      'limits.scriptMs: must be at most 3600000, not 1e+300, at line 19',
    ],
    [
      'a call',
      (it) => it.replace('"calls": []', '"calls": [{"kind": "put"}]'),
      'calls[0].kind: must be one of "get", "set", "api", not "put", at line ',
    ],
  ])('%s that is not valid is reported in plain words', (_name, change, message) => {
    expect(problemOf(change(text))).toContain(message);
  });

  test.each<[string, (text: string) => string, string]>([
    [
      'a comma too many',
      (it) => it.replace('"calls": []', '"calls": [1,]'),
      "Unexpected token ']', at line 39, column 15.",
    ],
    ['no value', (it) => it.replace('"masked": {', '"masked": , {'), "Unexpected token ',', at line 34, column 13."],
    ['more after its end', (it) => `${it}x`, 'Unexpected non-whitespace character after JSON, at line '],
    ['a comment', (it) => `// edited\n${it}`, "Unexpected token '/', at line 1, column 1."],
    ['no end', (it) => `${it.slice(0, 300)}\n`, 'the text ends early; the file may be truncated, at line '],
  ])('%s is reported with its place', (_name, change, message) => {
    expect(problemOf(change(text))).toContain(`it is not JSON: ${message}`);
  });

  test('a byte order mark changes neither its hash nor the places', () => {
    expect(readCapsule(Buffer.from(`\ufeff${text}`)).intact).toBe(true);
    const changed = text.replace('1000,', '1e300,');
    expect(problemOf(`\ufeff${changed}`)).toBe(problemOf(changed));
  });
});
