import { z } from 'zod';
import { ruleText } from '#contract/aggregation';
import { diagramText } from '#contract/diagrams';
import { settingsShape } from '#contract/settings';
import { mockRoute } from '#contract/mocks';
import { json } from '#contract/schemas';

/** A workspace as a folder of text files (docs/workspace.md). */

/** Marks a folder as an export, with its version. */
export const MANIFEST = 'tagwright.json';
export const FORMAT = 1;
export const manifest = z.object({ format: z.literal(FORMAT) });

/** Keeps Git from changing line ends: bodies stay unchanged. */
export const ATTRIBUTES = { file: '.gitattributes', text: '* -text\n' } as const;

export const FILES = {
  scripts: 'scripts.json',
  tags: 'tags.json',
  values: 'values.json',
  rules: 'rules.json',
  mocks: 'mocks.json',
  diagrams: 'diagrams.json',
  settings: 'settings.json',
} as const;

/**
 * Bodies of scripts: `scripts/<group>/<name>.js`; next to them their tests, `<name>.tests.json`, and their run
 * contexts, `<name>.contexts.json`.
 */
export const BODIES = 'scripts';

export const scriptsFile = z.object({
  groups: z.array(z.string()),
  scripts: z.array(z.object({ group: z.string(), name: z.string(), description: z.string(), file: z.string() })),
});
export const valuesFile = z.array(
  z.object({ tag: z.string(), diagram: z.string(), location: z.string(), value: json }),
);
export const rulesFile = z.array(ruleText);
export const mocksFile = z.object({ mocks: z.array(mockRoute) });
export const diagramsFile = z.array(diagramText);
/** The key of the events API is a secret: it is neither written nor read. */
export const settingsFile = settingsShape.omit({ 'events.apiKey': true }).partial();
