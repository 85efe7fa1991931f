import { abbreviate } from '#domain/text/abbreviate';
import type { RecordedCall } from '#domain/run/capsule';
import type { NearCall } from '#domain/run/replay';
import { type Scope, scopeSuffix } from '#domain/tag/scope';
import type { ApiArgument, ApiOperation } from '#domain/mock/api-call';
import type { TagWrite } from '#domain/tag/tag';

const MOST = 3;
/** Recorded items that are compared: more would take longer than the replay. */
const MOST_COMPARED = 20_000;
const SHOWN = 200;
/** Items without any resemblance are no help. */
const LEAST = 0.3;

interface Candidate {
  near: NearCall;
  score: number;
}

/** Readings that resemble one of a tag: of the same tag in another scope or at another time first. */
export function nearestReadings(path: string, scope: Scope, calls: readonly RecordedCall[]): NearCall[] {
  const found: Candidate[] = [];
  for (const call of calls) {
    if (call.kind !== 'get') continue;
    for (const { path: other } of call.values ?? []) {
      if (found.length >= MOST_COMPARED) break;
      const isSame = other === path;
      const inScope = call.diagram === scope.diagram && call.location === scope.location;
      const score = isSame ? 1 + Number(inScope) : likeness(path, other);
      found.push({ near: near(call, readText(other, call)), score });
    }
  }
  return best(found);
}

export function nearestSets(items: readonly TagWrite[], scope: Scope, calls: readonly RecordedCall[]): NearCall[] {
  const wanted = writeText(items, scope);
  const tags = new Set(items.map(({ tag }) => tag));
  const found = calls.slice(0, MOST_COMPARED).flatMap((call): Candidate[] => {
    if (call.kind !== 'set') return [];
    const text = writeText(call.items, call);
    const shared = call.items.some(({ tag }) => tags.has(tag)) ? 1 : 0;
    return [{ near: near(call, text), score: shared + likeness(wanted, text) }];
  });
  return best(found);
}

export function nearestApiCalls(
  operation: ApiOperation,
  args: readonly ApiArgument[],
  calls: readonly RecordedCall[],
): NearCall[] {
  const wanted = apiText(operation, args);
  const found = calls.slice(0, MOST_COMPARED).flatMap((call): Candidate[] => {
    if (call.kind !== 'api') return [];
    const text = apiText(call.operation, call.args);
    return [{ near: near(call, text), score: Number(call.operation === operation) + likeness(wanted, text) }];
  });
  return best(found);
}

export const readText = (path: string, scope: Scope): string => `Get ${quoted(path)}${scopeText(scope)}`;

export function writeText(items: readonly TagWrite[], scope: Scope): string {
  const [first, ...others] = items;
  if (!first) return 'empty Set';
  const value = abbreviate(JSON.stringify(first.value), SHOWN);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `Set ${quoted(first.tag)} = ${value}${more}${scopeText(scope)}`;
}

export function apiText(operation: ApiOperation, args: readonly ApiArgument[]): string {
  const shown = args.map((argument) =>
    typeof argument === 'object' && argument ? argument.not : JSON.stringify(argument),
  );
  return abbreviate(`${operation}(${shown.join(', ')})`, 2 * SHOWN);
}

const quoted = (path: string): string => `"${abbreviate(path, SHOWN)}"`;
const scopeText = ({ diagram, location }: Scope): string =>
  scopeSuffix({ diagram: abbreviate(diagram, SHOWN), location: abbreviate(location, SHOWN) });

const near = ({ call, line }: RecordedCall, text: string): NearCall => ({ call, line, text });

function best(found: readonly Candidate[]): NearCall[] {
  const texts = new Set<string>();
  return found
    .filter(({ score }) => score >= LEAST)
    .toSorted((a, b) => b.score - a.score)
    .filter(({ near: { text } }) => !texts.has(text) && texts.add(text))
    .slice(0, MOST)
    .map(({ near: one }) => one);
}

/** From 0 to 1: how many pairs of characters two texts share. */
function likeness(one: string, other: string): number {
  const [first, second] = [pairsOf(one), pairsOf(other)];
  let shared = 0;
  for (const pair of first) if (second.has(pair)) shared += 1;
  return first.size + second.size === 0 ? 0 : (2 * shared) / (first.size + second.size);
}

function pairsOf(text: string): Set<string> {
  const lower = text.slice(0, 2 * SHOWN).toLowerCase();
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < lower.length; at += 1) pairs.add(lower.slice(at, at + 2));
  return pairs;
}
