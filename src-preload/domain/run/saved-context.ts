import { nameKey } from '../text/name-key.ts';
import type { Json } from '../text/json.ts';
import { typedNumber } from '../text/typed-number.ts';
import type { RunContext } from './run.ts';

export const VALUE_MODES = ['none', 'json', 'text', 'number'] as const;
export type ValueMode = (typeof VALUE_MODES)[number];

/** The context of a run as typed: texts, possibly incomplete. */
export interface SavedContext {
  tagName: string;
  diagram: string;
  location: string;
  valueMode: ValueMode;
  valueText: string;
}

/** A context that was saved with a name; the name is unique within its script, regardless of case. */
export interface NamedContext extends SavedContext {
  name: string;
}

/** The contexts of a script in the preview. */
export interface ScriptContexts {
  /** The last typed one; null if there is none. */
  current: SavedContext | null;
  /** The name of the saved context that `current` comes from; null if it comes from none. */
  chosen: string | null;
  /** Saved contexts; the first one is preselected while nothing was typed. */
  named: NamedContext[];
  /** Contexts of manual runs that are not saved with a name, most recent first, without duplicates. */
  used: SavedContext[];
}

/** A change of one saved context. */
export interface ContextSave {
  context: NamedContext;
  /** The name of the saved context that it replaces; without it, another one is added. */
  before?: string | undefined;
  /** Its place in the list; without it, a new one is the last and another one stays where it is. */
  at?: number | undefined;
}

export const CONTEXT_LIMITS = {
  /** The number of stored contexts per script. */
  used: 8,
  /** The number of saved contexts per script. */
  named: 50,
  /** Characters of the name of a saved context. */
  title: 100,
  /** Characters of a tag's path or the name of a Diagram or location, as typed. */
  name: 1_000,
  /** Characters of a value. */
  value: 1_000_000,
} as const;

export const EMPTY_CONTEXT: SavedContext = { tagName: '', diagram: '', location: '', valueMode: 'none', valueText: '' };

export const NO_CONTEXTS: ScriptContexts = { current: null, chosen: null, named: [], used: [] };

/** The context without its name. */
export function plainContext({ tagName, diagram, location, valueMode, valueText }: SavedContext): SavedContext {
  return { tagName, diagram, location, valueMode, valueText };
}

/** Whether two contexts are equal for a run. */
export function sameContext(a: SavedContext, b: SavedContext): boolean {
  const valueOf = ({ valueMode, valueText }: SavedContext) => (valueMode === 'none' ? '' : `${valueMode} ${valueText}`);
  return a.tagName === b.tagName && a.diagram === b.diagram && a.location === b.location && valueOf(a) === valueOf(b);
}

/** The contexts with a just used one in front; an empty one and one that is saved with a name are not stored again. */
export function withUsed(
  used: readonly SavedContext[],
  context: SavedContext,
  named: readonly NamedContext[] = [],
): SavedContext[] {
  if (sameContext(context, EMPTY_CONTEXT) || named.some((other) => sameContext(other, context))) return [...used];
  return [context, ...used.filter((other) => !sameContext(other, context))].slice(0, CONTEXT_LIMITS.used);
}

/** The saved context with a name, regardless of case. */
export function namedContext(named: readonly NamedContext[], name: string | null): NamedContext | undefined {
  return name === null ? undefined : named.find((one) => nameKey(one.name) === nameKey(name));
}

/** Why a saved context cannot have a name; null if it can. @param before its current name, if it has one */
export function problemOfContextName(named: readonly NamedContext[], name: string, before?: string): string | null {
  if (name.trim() === '') return 'Enter a name';
  if (name.trim().length > CONTEXT_LIMITS.title) return `At most ${CONTEXT_LIMITS.title} characters`;
  const other = namedContext(named, name);
  if (!other || (before !== undefined && nameKey(other.name) === nameKey(before))) return null;
  return `This script already has a context named "${other.name}". Choose another name.`;
}

/** The contexts after a save, which also chooses the saved one; null if there is none to replace. */
export function withSaved(contexts: ScriptContexts, { context, before, at }: ContextSave): ScriptContexts | null {
  const place =
    before === undefined
      ? contexts.named.length
      : contexts.named.findIndex(({ name }) => nameKey(name) === nameKey(before));
  if (place < 0) return null;
  const named = contexts.named.toSpliced(place, 1);
  named.splice(Math.min(at ?? place, named.length), 0, context);
  return {
    ...contexts,
    chosen: context.name,
    named,
    used: contexts.used.filter((other) => !sameContext(other, context)),
  };
}

/** The contexts without the saved one with that name. */
export function withoutSaved(contexts: ScriptContexts, name: string): ScriptContexts {
  const isIt = (other: string | null) => other !== null && nameKey(other) === nameKey(name);
  return {
    ...contexts,
    chosen: isIt(contexts.chosen) ? null : contexts.chosen,
    named: contexts.named.filter((one) => !isIt(one.name)),
  };
}

export type ReadValue = { kind: 'absent' } | { kind: 'value'; value: Json } | { kind: 'problem'; message: string };

/** The parsed `tagValue`, or its problem. */
export function readValue({ valueMode, valueText }: Pick<SavedContext, 'valueMode' | 'valueText'>): ReadValue {
  if (valueMode === 'none') return { kind: 'absent' };
  if (valueMode === 'text') return { kind: 'value', value: valueText };
  if (valueMode === 'number') {
    const read = typedNumber(valueText);
    return read.ok ? { kind: 'value', value: read.value } : { kind: 'problem', message: read.reason };
  }
  if (valueText.trim() === '') return { kind: 'problem', message: 'Enter a JSON value, such as [{"id": 1}]' };
  try {
    const value: Json = JSON.parse(valueText);
    return { kind: 'value', value };
  } catch (error) {
    return { kind: 'problem', message: problemOfJson(valueText, error) };
  }
}

/** The context of a run, or null while the value is invalid. */
export function contextOf(form: SavedContext): RunContext | null {
  const value = readValue(form);
  if (value.kind === 'problem') return null;
  return {
    tagName: form.tagName.trim(),
    tagScopeDiagram: form.diagram.trim() === '' ? null : form.diagram.trim(),
    tagScopeLocation: form.location.trim() === '' ? null : form.location.trim(),
    ...(value.kind === 'value' ? { tagValue: value.value } : {}),
  };
}

/** The form of a context: of the sample, whose files have no forms. */
export function formOf({
  tagName,
  diagram,
  location,
  tagValue,
}: {
  tagName: string;
  diagram: string | null;
  location: string | null;
  tagValue?: Json;
}): SavedContext {
  const form = { ...EMPTY_CONTEXT, tagName, diagram: diagram ?? '', location: location ?? '' };
  if (tagValue === undefined) return form;
  if (typeof tagValue === 'number') return { ...form, valueMode: 'number', valueText: String(tagValue) };
  if (typeof tagValue === 'string') return { ...form, valueMode: 'text', valueText: tagValue };
  return { ...form, valueMode: 'json', valueText: JSON.stringify(tagValue, null, 2) };
}

/** Describes a JSON error, with line and column if the engine reports them. */
export function problemOfJson(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /at position (\d+)/.exec(message)?.[1];
  const plain = message.replace(/ in JSON at position.*$/s, '').replace(/, "[\s\S]*" is not valid JSON$/, '');
  if (position === undefined) return `Invalid JSON: ${plain}`;
  const before = text.slice(0, Number(position)).split('\n');
  return `Invalid JSON: ${plain}, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
