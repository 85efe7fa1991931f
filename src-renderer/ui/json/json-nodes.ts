import type { Json } from '#domain/text/json';
import { shownValue } from '../../support/shown-value.ts';

/** A value inside another, or a range of the elements of a long one. */
export interface JsonNode {
  /** The path as a script writes it: `orders[3].number`; '' for the whole. Ranges have their bounds. */
  path: string;
  /** Its key or its index; null for the whole and for ranges. */
  name: string | number | null;
  value: Json;
  /** The elements of a range; null for a value. */
  range: { from: number; to: number } | null;
  /** From 1. */
  level: number;
}

/** In longer arrays and objects, this many elements form a range, which is opened separately. */
const RANGE = 5_000;
const OPEN_AT_FIRST = 1_000;
const MOST_UNFOLDED = 20_000;

export function rootOf(value: Json): JsonNode {
  return { path: '', name: null, value, range: null, level: 1 };
}

export function isContainer(value: Json): value is Json[] | Record<string, Json> {
  return typeof value === 'object' && value !== null;
}

export function sizeOf(value: Json[] | Record<string, Json>): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Whether it can be opened. */
export function canOpen({ value }: JsonNode): boolean {
  return isContainer(value) && sizeOf(value) > 0;
}

/** The direct children: elements, members, or ranges of them. */
export function childrenOf(node: JsonNode): JsonNode[] {
  const { value, range, path, level } = node;
  if (!isContainer(value)) return [];
  const keys = Array.isArray(value) ? null : Object.keys(value);
  const [from, to] = range ? [range.from, range.to] : [0, keys ? keys.length : sizeOf(value)];
  if (range === null && to > RANGE) {
    return Array.from({ length: Math.ceil(to / RANGE) }, (_none, index) => {
      const bounds = { from: index * RANGE, to: Math.min(to, (index + 1) * RANGE) };
      return { path: `${path}[${bounds.from}…${bounds.to - 1}]`, name: null, value, range: bounds, level: level + 1 };
    });
  }
  const base = range ? path.slice(0, path.lastIndexOf('[')) : path;
  return Array.from({ length: to - from }, (_none, offset) => {
    const name = keys ? (keys[from + offset] ?? '') : from + offset;
    return { path: base + step(name, base === ''), name, value: at(value, name), range: null, level: level + 1 };
  });
}

function at(value: Json[] | Record<string, Json>, name: string | number): Json {
  return (Array.isArray(value) ? value[Number(name)] : value[name]) ?? null;
}

function step(name: string | number, first: boolean): string {
  if (typeof name === 'number') return `[${name}]`;
  if (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return first ? name : `.${name}`;
  return `[${JSON.stringify(name)}]`;
}

/** All visible nodes, from the top: nodes, and the children of open ones. */
export function seenNodes(value: Json, isOpen: (path: string) => boolean): JsonNode[] {
  const seen: JsonNode[] = [];
  const waiting = [rootOf(value)];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    seen.push(node);
    if (canOpen(node) && isOpen(node.path)) for (const child of childrenOf(node).toReversed()) waiting.push(child);
  }
  return seen;
}

/** The nodes that are open by default: level by level, up to a readable amount. */
export function openAtFirst(value: Json): ReadonlySet<string> {
  return new Set(within(rootOf(value), OPEN_AT_FIRST));
}

/** The paths of a node and everything in it that can be opened; limited to the upper levels for large values. */
export function allWithin(node: JsonNode): string[] {
  return within(node, MOST_UNFOLDED);
}

function within(node: JsonNode, most: number): string[] {
  const open: string[] = [];
  let rows = 1;
  let level = [node].filter(canOpen);
  while (level.length > 0) {
    const below: JsonNode[] = [];
    for (const one of level) {
      const children = childrenOf(one);
      rows += children.length;
      if (rows > most && open.length > 0) return open;
      open.push(one.path);
      below.push(...children.filter((child) => child.range === null && canOpen(child)));
    }
    level = below;
  }
  return open;
}

/** The beginning of the contents on one line: `1, "a", {…}`. */
export function peek(value: Json, most = 6): string {
  if (!isContainer(value)) return '';
  const shown = Array.isArray(value)
    ? value.slice(0, most).map(shortForm)
    : Object.keys(value)
        .slice(0, most)
        .map((name) => `${name}: ${shortForm(at(value, name))}`);
  return sizeOf(value) > most ? `${shown.join(', ')}, …` : shown.join(', ');
}

function shortForm(value: Json): string {
  if (!isContainer(value)) return plainText(value, 40);
  const inside = sizeOf(value) === 0 ? '' : '…';
  return Array.isArray(value) ? `[${inside}]` : `{${inside}}`;
}

/** A primitive value as JSON; a long text is cut off. */
export function plainText(value: Json, limit: number): string {
  return typeof value === 'string' ? JSON.stringify(shownValue(value, limit)) : shownValue(value, limit);
}
