import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ruleText } from '#contract/aggregation';
import { diagramText } from '#contract/texts/diagram-text';
import { settingsShape } from '#contract/settings';
import { mockRoute } from '#contract/texts/mock-route';
import { json } from '#contract/schemas';

/** A workspace as a folder of text files (docs/operation/workspace.md). */

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
export const mocksFile = z.object({ mocks: z.array(mockRoute()) });
export const diagramsFile = z.array(diagramText());
/** The key of the events API is a secret: it is neither written nor read. */
export const settingsFile = settingsShape.omit({ 'events.apiKey': true }).partial();

/** The file with the body of a script. */
export const bodyFile = ({ group, name }: { group: string; name: string }): string =>
  `${BODIES}/${fileName(group)}/${fileName(name)}.js`;

/** Characters that some system does not allow in a file name, and `%`, which begins their codes. */
const FORBIDDEN = /[<>:"/\\|?*%\u0000-\u001f\u007f]|[. ]$/gu;
/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Maximum length of a name without its extension, in bytes; systems allow 255. */
const LONGEST = 180;

/**
 * A name that every file system accepts: forbidden characters become `%` and their code, and names that are too long
 * are cut and end in a hash, so that two names never become equal.
 */
function fileName(name: string): string {
  const escaped = name.replace(FORBIDDEN, percent);
  const safe = DEVICE.test(escaped) ? percent(escaped.charAt(0)) + escaped.slice(1) : escaped;
  if (Buffer.byteLength(safe) <= LONGEST) return safe;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  let cut = '';
  for (const character of safe) {
    if (Buffer.byteLength(cut + character) > LONGEST - hash.length - 1) break;
    cut += character;
  }
  return `${cut}~${hash}`;
}

function percent(character: string): string {
  return `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}
