import type { Json } from '#domain/text/json';
import type { RunContext } from '#domain/run/run';
import { EMPTY_CONTEXT, type SavedContext } from '#domain/run/saved-context';
import { typedNumber } from '../../../support/typed-number.ts';
import sample from '../../../../resources/sample/bottling/scripts.json?raw';
import type { SettingsUse } from '#domain/tag/usage';
import { shownValue } from '../../../support/shown-value.ts';

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

/** Describes a JSON error, with line and column if the engine reports them. */
export function problemOfJson(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /at position (\d+)/.exec(message)?.[1];
  const plain = message.replace(/ in JSON at position.*$/s, '').replace(/, "[\s\S]*" is not valid JSON$/, '');
  if (position === undefined) return `Invalid JSON: ${plain}`;
  const before = text.slice(0, Number(position)).split('\n');
  return `Invalid JSON: ${plain}, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

interface SampleScript {
  group: string;
  name: string;
  context: { tagName: string; diagram: string | null; location: string | null; tagValue?: Json };
}

const sampleScripts: SampleScript[] = JSON.parse(sample);

/** The recommended context of a script of the sample workspace; null for any other script. */
export function sampleContext(group: string, name: string): SavedContext | null {
  const context = sampleScripts.find((script) => script.group === group && script.name === name)?.context;
  if (!context) return null;
  const { tagName, diagram, location, tagValue } = context;
  const form = { ...EMPTY_CONTEXT, tagName, diagram: diagram ?? '', location: location ?? '' };
  if (tagValue === undefined) return form;
  if (typeof tagValue === 'number') return { ...form, valueMode: 'number', valueText: String(tagValue) };
  if (typeof tagValue === 'string') return { ...form, valueMode: 'text', valueText: tagValue };
  return { ...form, valueMode: 'json', valueText: JSON.stringify(tagValue, null, 2) };
}

/** The context of a run for a tag with this script; its scope and value stay as typed. */
export function contextOfUse({ path, member }: SettingsUse, form: SavedContext): SavedContext {
  const writes = member === 'writeScript';
  if (!writes) return { ...form, tagName: path, valueMode: 'none' };
  return { ...form, tagName: path, valueMode: form.valueMode === 'none' ? 'json' : form.valueMode };
}

/** The parts of a context with their names: `Diagram`, `Line overview`; the tag has no name. */
export function contextParts(context: SavedContext): { name: string; text: string }[] {
  const { tagName, diagram, location, valueMode, valueText } = context;
  const parts = [
    { name: '', text: tagName === '' ? 'no tag' : tagName },
    { name: 'Diagram', text: diagram },
    { name: 'workcenter', text: location },
    { name: 'tagValue', text: valueMode === 'none' ? '' : shownValue(valueText, 40) },
  ];
  return parts.filter(({ text }) => text !== '');
}
