import sample from '../../../../resources/sample/bottling/scripts.json?raw';
import type { Json } from '#domain/json';
import type { SettingsUse } from '#domain/usage';
import { shownValue } from '../../../ui/shown-value.ts';
import { EMPTY_CONTEXT } from './run-context.ts';
import type { ContextForm } from './run-context.ts';

/** How many contexts are remembered of each script. */
const MAX_RECENT = 8;

interface SampleScript {
  group: string;
  name: string;
  context: { tagName: string; diagram: string | null; location: string | null; tagValue?: Json };
}

const sampleScripts: SampleScript[] = JSON.parse(sample);

/** What a script of the sample workspace is best run with; null for any other script. */
export function sampleContext(group: string, name: string): ContextForm | null {
  const context = sampleScripts.find((script) => script.group === group && script.name === name)?.context;
  if (!context) return null;
  const { tagName, diagram, location, tagValue } = context;
  const form = { ...EMPTY_CONTEXT, tagName, diagram: diagram ?? '', location: location ?? '' };
  if (tagValue === undefined) return form;
  if (typeof tagValue === 'number') return { ...form, valueMode: 'number', valueText: String(tagValue) };
  if (typeof tagValue === 'string') return { ...form, valueMode: 'text', valueText: tagValue };
  return { ...form, valueMode: 'json', valueText: JSON.stringify(tagValue, null, 2) };
}

/** The context of a run for a tag whose settings name the script; its scope and value stay as they are typed. */
export function contextOfUse({ path, member }: SettingsUse, form: ContextForm): ContextForm {
  const writes = member === 'writeScript';
  if (!writes) return { ...form, tagName: path, valueMode: 'none' };
  return { ...form, tagName: path, valueMode: form.valueMode === 'none' ? 'json' : form.valueMode };
}

/** The remembered contexts with one that was just used in front; the same ones are kept once. */
export function withRecent(recent: readonly ContextForm[], used: ContextForm): ContextForm[] {
  if (sameContext(used, EMPTY_CONTEXT)) return [...recent];
  return [used, ...recent.filter((other) => !sameContext(other, used))].slice(0, MAX_RECENT);
}

export function sameContext(a: ContextForm, b: ContextForm): boolean {
  const valueOf = ({ valueMode, valueText }: ContextForm) => (valueMode === 'none' ? '' : `${valueMode} ${valueText}`);
  return a.tagName === b.tagName && a.diagram === b.diagram && a.location === b.location && valueOf(a) === valueOf(b);
}

/** A context in one line: `Line1.Order.Number.Value, Diagram Line overview, workcenter Line1, tagValue {…}`. */
export function shownContext({ tagName, diagram, location, valueMode, valueText }: ContextForm): string {
  const parts = [
    tagName === '' ? 'no tag' : tagName,
    diagram === '' ? '' : `Diagram ${diagram}`,
    location === '' ? '' : `workcenter ${location}`,
    valueMode === 'none' ? '' : `tagValue ${shownValue(valueText, 40)}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
