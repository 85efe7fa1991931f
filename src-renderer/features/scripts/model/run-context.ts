import type { Json } from '#domain/text/json';
import { formOf, type NamedContext, type SavedContext } from '#domain/run/saved-context';
import sample from '../../../../resources/sample/bottling/scripts.json?raw';
import type { SettingsUse } from '#domain/tag/usage';
import { shownValue } from '../../../support/shown-value.ts';

interface SampleScript {
  group: string;
  name: string;
  context: { name: string; tagName: string; diagram: string | null; location: string | null; tagValue?: Json };
}

const sampleScripts: SampleScript[] = JSON.parse(sample);

/** The recommended context of a script of the sample workspace; null for any other script. */
export function sampleContext(group: string, script: string): NamedContext | null {
  const context = sampleScripts.find((one) => one.group === group && one.name === script)?.context;
  return context ? { ...formOf(context), name: context.name } : null;
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
