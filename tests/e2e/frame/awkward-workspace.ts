import { expect } from 'vitest';
import type { DiagramPart } from '../../../src-preload/domain/tag/diagram.ts';
import type { RuleOutput } from '../../../src-preload/domain/rule/rule.ts';
import type { InstanceClient } from '../../../src-main/host/instance-client.ts';

/** Names that a person may type or paste, each below 100 characters; none contains ".", "/" or "\". */
const AWKWARD_NAMES = {
  quotes: `It's "5 o'clock" & \`new\` <b>50 %<b> <img src=x>`,
  rightToLeft: 'תא 3 (בדיקה): שלום! 🚀',
  /** Starts right-to-left text without ending it. */
  override: 'Line 2 \u202Eהיפוך (1) 7',
  marks: 'Z\u0337\u0322\u0341a\u0334l\u0338g\u0315o\u0322 e\u0301 👩‍👩‍👧‍👦 नमस्ते ไทย',
  spaces: 'two  inner   spaces',
} as const;

/** A name as Playwright compares it: with several spaces as one. */
export const compared = (name: string): string => name.replaceAll(/\s+/g, ' ');

/** A name of the given length, without spaces. */
export const longName = (length: number): string => 'Wide'.repeat(length).slice(0, length);

export const { quotes, rightToLeft, override } = AWKWARD_NAMES;
export const SHORT = Object.values(AWKWARD_NAMES);
export const BACKSLASH = 'C:\\plant\\"1"';
export const LONG = longName(100);
export const PASTED = longName(500);
export const NAMES = [...SHORT, LONG];
export const pathOf = (name: string) => `Odd.${name}.Value`;
export const PATHS = [...SHORT, BACKSLASH, longName(480)].map(pathOf);
export const RIGHT_TO_LEFT_TAG = pathOf(rightToLeft);

/** One item of every kind that has a name, for each of the names. */
export async function fillWithNames(client: InstanceClient): Promise<void> {
  for (const path of PATHS) {
    const settings = { initial: rightToLeft };
    await client.tags.save({ path, kind: 'storage', type: 'String', description: override, unit: 'ק״ג (1)', settings });
    await client.tags.set({ items: [{ tag: path, value: quotes }], diagram: rightToLeft, location: override });
  }
  const number = `Odd.${rightToLeft}.Speed`;
  const settings = { initial: 1.5 };
  await client.tags.save({ path: number, kind: 'storage', type: 'Double', description: '', unit: '', settings });
  for (const name of NAMES) {
    const { id: scriptId } = await client.scripts.save({ group: name, name, description: name, body: 'return 1;' });
    if (name === rightToLeft) {
      const context = { tagName: RIGHT_TO_LEFT_TAG, tagScopeDiagram: null, tagScopeLocation: null };
      const test = { scriptId, context, tags: [], mocks: [] };
      for (const one of NAMES)
        await client.scriptTests.save({ ...test, name: one, expect: { status: 'ok', result: 1 } });
    }
    const outputs: RuleOutput[] = [
      { name, reducer: 'last', tag: number },
      { name: override, reducer: 'first', tag: RIGHT_TO_LEFT_TAG },
    ];
    const { id } = await client.rules.save({
      name,
      description: name,
      enabled: true,
      triggersEvents: true,
      tags: [number, RIGHT_TO_LEFT_TAG],
      sampling: { kind: 'onChange' },
      window: { kind: 'manual' },
      outputs: outputs.filter(({ name: one }, place) => place > 0 || one !== override),
      condition: '',
    });
    await client.rules.fire({ id, times: 3 });
    await client.diagrams.save({ name, width: 640, height: 420, parts: partsOf(name) });
  }
  for (const name of [...SHORT, BACKSLASH, longName(200)]) {
    const url = `https://odd.example/${encodeURIComponent(name)}`;
    await client.mocks.save({ name, request: { url }, answer: { body: { kind: 'text', text: name } } });
    const body = `return ApiValueManager.Fetch(${JSON.stringify(url)}, 'get', '').ResponseObject;`;
    const context = { tagName: RIGHT_TO_LEFT_TAG, tagScopeDiagram: null, tagScopeLocation: null };
    expect((await client.runs.execute({ body, context, dryRun: true })).result).toBe(name);
  }
}

function partsOf(name: string): DiagramPart[] {
  const part = { width: 290, height: 72, value: null };
  const [tag, long] = [RIGHT_TO_LEFT_TAG, PATHS.at(-1) ?? ''];
  return [
    { ...part, id: 'text', kind: 'text', x: 16, y: 16, label: PASTED, tag: '' },
    { ...part, id: 'name', kind: 'text', x: 320, y: 16, label: name, tag: '' },
    { ...part, id: 'value', kind: 'value', x: 16, y: 104, label: name, tag },
    { ...part, id: 'wide', kind: 'value', x: 320, y: 104, label: PASTED, tag: long },
    { ...part, id: 'lamp', kind: 'lamp', x: 16, y: 192, label: '', tag: long },
    { ...part, id: 'input', kind: 'input', x: 320, y: 192, label: name, tag },
    { ...part, id: 'button', kind: 'button', x: 16, y: 280, label: PASTED, tag },
    { ...part, id: 'small', kind: 'button', x: 320, y: 280, label: name, tag },
  ];
}

/** The first names of things, and the names they are renamed to. */
export const ALL_NAMES = [
  ...NAMES,
  ...PATHS,
  BACKSLASH,
  PASTED,
  longName(200),
  `${override} 2`,
  pathOf(`${rightToLeft} 2`),
];
