import type { Json } from '#domain/text/json';
import { isJsonObject } from '#domain/text/json';
import { typedWhole } from '#domain/text/typed-number';
import type { Control } from './catalog.ts';

/** The placeholder of a hidden password. */
export const HIDDEN = '••••••';

export type Typed = { value: Json } | { problem: string };

/** An unstructured value as text. */
export const plainText = (value: Json): string =>
  typeof value === 'object' ? JSON.stringify(value) : value.toString();

/** A setting as the text of its field. */
export function textOf(control: Control, value: Json): string {
  if (control.kind === 'lines' && Array.isArray(value)) return value.map(plainText).join('\n');
  if (control.kind === 'pairs' && isJsonObject(value)) {
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${plainText(one)}`)
      .join('\n');
  }
  return control.kind === 'proxy' ? hidePassword(plainText(value)) : plainText(value);
}

/** The parsed value of a setting, or its problem. `before` is the former value. */
export function readText(control: Control, text: string, before: Json): Typed {
  switch (control.kind) {
    case 'number':
      return readNumber(text, control);
    case 'lines':
      return { value: linesOf(text) };
    case 'pairs':
      return readPairs(text);
    case 'proxy':
      return { value: text.trim().replace(HIDDEN, () => passwordOf(plainText(before))) };
    default:
      return { value: text.trim() };
  }
}

function readNumber(text: string, range: { min: number; max: number }): Typed {
  const read = typedWhole(text, range);
  return read.ok ? { value: read.value } : { problem: read.reason };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function readPairs(text: string): Typed {
  const pairs: [string, string][] = [];
  for (const line of linesOf(text)) {
    // A host can have a port: the separator is the last colon with a space, or the last of all.
    const at = line.includes(': ') ? line.lastIndexOf(': ') : line.lastIndexOf(':');
    if (at <= 0) return { problem: `"${line}": enter a host, a colon and the name of a header` };
    pairs.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
  }
  return { value: Object.fromEntries(pairs) };
}

/** The parts of `http://user:password@host`, also of a database; a placeholder of a secret is not a password. */
const PROXY = /^((?:https?|postgres(?:ql)?):\/\/[^:@/]*:)(.*)(@[^@]*)$/i;

function hidePassword(url: string): string {
  const [, before, password = '', after] = PROXY.exec(url) ?? [];
  return before === undefined || /^\{\{secret:\w+\}\}$/.test(password) ? url : `${before}${HIDDEN}${after}`;
}

const passwordOf = (url: string): string => PROXY.exec(url)?.[2] ?? '';
