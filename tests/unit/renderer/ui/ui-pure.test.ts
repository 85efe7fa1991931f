import { describe, expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import type { TagType } from '#domain/tag/tag';
import { definitionLines } from '../../../../src-renderer/features/tags/definition-lines.ts';
import { editedText, typedValue } from '../../../../src-renderer/support/typed-value.ts';
import { CommandRegistry } from '../../../../src-renderer/frame/palette/commands.ts';
import { keysOf, shownKeys } from '../../../../src-renderer/frame/palette/keys.ts';
import { matchesWords } from '../../../../src-renderer/frame/palette/palette-filter.ts';
import { jsonTokens } from '../../../../src-renderer/ui/json/json-tokens.ts';
import { shownLive, shownValue } from '../../../../src-renderer/support/shown-value.ts';
import { Store } from '../../../../src-renderer/support/store.ts';

const press = (
  key: string,
  code: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>>,
) => keysOf({ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

describe('keys', () => {
  test('have the same names on every layout', () => {
    expect(press('s', 'KeyS', { ctrlKey: true })).toBe('Ctrl+S');
    expect(press('s', 'KeyS', { metaKey: true })).toBe('Ctrl+S');
    expect(press('ñ', 'KeyN', { altKey: true })).toBe('Alt+N');
    expect(press('"', 'Digit2', { ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+2');
    expect(press('F5', 'F5', { shiftKey: true })).toBe('Shift+F5');
  });

  test('of the keypad type the code of a character with Alt', () => {
    expect(press('1', 'Numpad1', { altKey: true })).toBe('Alt+Numpad1');
    expect(press('1', 'Numpad1', { ctrlKey: true })).toBe('Ctrl+1');
  });

  test('are shown with the symbols of the system', () => {
    expect(shownKeys('Ctrl+Shift+E', true)).toBe('⌘⇧E');
    expect(shownKeys('Ctrl+Shift+E', false)).toBe('Ctrl+Shift+E');
  });
});

const command = (id: string, enabled: boolean) => ({
  id,
  title: id,
  section: 's',
  keys: 'F5',
  enabled,
  run: () => {},
});

test('of two commands with the same keys, the enabled one runs; commands are disposed', () => {
  const registry = new CommandRegistry();
  registry.add(() => [command('off', false)]);
  const remove = registry.add(() => [command('on', true)]);
  expect(registry.withKeys('F5')?.id).toBe('on');
  remove();
  expect(registry.withKeys('F5')?.id).toBe('off');
  expect(registry.withKeys('F6')).toBeUndefined();
});

test('the palette finds all words in any order', () => {
  expect(matchesWords('Scripts Save the script', 'save SCR')).toBe(true);
  expect(matchesWords('Scripts Save the script', 'save tag')).toBe(false);
});

test('a store notifies of a change once, and not of the same value', () => {
  const store = new Store(1);
  let notified = 0;
  const end = store.subscribe(() => (notified += 1));
  store.set(1);
  store.update((value) => value + 1);
  end();
  store.set(3);
  expect([notified, store.get()]).toEqual([1, 3]);
});

const sorts = (line: string) =>
  jsonTokens(line)
    .filter(({ sort }) => sort !== 'sign')
    .map(({ sort }) => sort);

describe('JSON in colors', () => {
  test('every character of a line is shown, in order', () => {
    for (const line of ['  "a\\"b": -1.5e3,', '[true, false, null]', '"text with: colon"', '{}', '', '  "x": "1"']) {
      expect(
        jsonTokens(line)
          .map(({ text }) => text)
          .join(''),
      ).toBe(line);
    }
  });

  test('names, texts, numbers and keywords are distinguished', () => {
    expect(sorts('"a": "b"')).toEqual(['name', 'string']);
    expect(sorts('"a": [1, true, null]')).toEqual(['name', 'number', 'word', 'word']);
  });
});

test('values are shown on one line, numbers without rounding noise', () => {
  expect(shownValue(0.1 + 0.2)).toBe('0.3');
  expect(shownLive(410.590744282)).toBe('410.591');
  expect(shownLive(-1_234_567.89)).toBe('-1234567.9');
  expect(shownLive(0.000012345678)).toBe('0.0000123457');
  expect(shownLive(1e300 + 0.5)).toBe('1e+300');
  expect(shownLive('text')).toBe('text');
  expect(shownLive('')).toBe('""');
  expect(shownValue({ a: [1] })).toBe('{"a":[1]}');
  expect(shownValue('two\n lines')).toBe('two lines');
  expect(shownValue('x'.repeat(10), 5)).toBe('xxxxx…');
});

describe('tags', () => {
  test('typed text becomes a value of the type, or an error', () => {
    expect(typedValue('12.5', 'Double')).toEqual({ ok: true, value: 12.5 });
    expect(typedValue('', 'Double')).toEqual({ ok: true, value: null });
    expect(typedValue('', 'String')).toEqual({ ok: true, value: '' });
    expect(typedValue('{"a":1}', 'Json')).toEqual({ ok: true, value: { a: 1 } });
    expect(typedValue('{', 'Json')).toMatchObject({ ok: false, reason: expect.stringMatching(/^Invalid JSON/) });
    expect(typedValue('1.5', 'Int')).toMatchObject({ ok: false });
  });

  test('an edit without a change keeps the value', () => {
    const values: [TagType, Json][] = [
      ['Double', 1.25],
      ['Boolean', false],
      ['String', 'a'],
      ['Json', { a: [1] }],
      ['Int', null],
    ];
    for (const [type, value] of values) {
      expect(typedValue(editedText(value, type), type)).toEqual({ ok: true, value });
    }
  });

  test('the settings of a tag read like a sentence', () => {
    expect(definitionLines({ signal: { kind: 'sine', periodMs: 60_000 }, updateMs: 500, initial: { a: 1 } })).toEqual([
      { name: 'Signal kind', text: 'sine' },
      { name: 'Signal period', text: '1 min' },
      { name: 'Update', text: '500 ms' },
      { name: 'Initial', text: '{\n  "a": 1\n}' },
    ]);
  });
});
