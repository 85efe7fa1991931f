import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TagCatalog } from '../../../src-main/plant/tags/definitions/catalog.ts';
import { completionsOf } from '../../../src-main/plant/tags/definitions/completion.ts';
import { inertKind } from '../../../src-main/plant/tags/kinds/inert.ts';
import { nearestPaths } from '../../../src-main/plant/tags/definitions/nearest.ts';
import { Tag } from '../../../src-main/plant/tags/definitions/tag.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import type { Bench } from '../bench.ts';
import { median, timesOf } from '../compare.ts';

const TAGS = 50_000;
const ROUNDS = 9;

function largeCatalog(): TagCatalog {
  const kind = inertKind('storage', 'only its path matters here');
  const catalog = new TagCatalog();
  catalog.add(
    Array.from({ length: TAGS }, (_, n) => {
      const path = `Plant.Area${n % 20}.Line${n % 50}.Machine${n}.Motor.Speed`;
      return new Tag(n + 1, { path, kind: 'storage', type: 'Int', description: '', unit: '', settings: {} }, kind);
    }),
  );
  return catalog;
}

/** Definitions of stored values, signals, and calculations of them. */
function threeKinds(unit: string): object[] {
  const pathOf = (n: number) => `Plant.Area${n % 20}.Line${n % 50}.Machine${n}.Motor.Speed`;
  return Array.from({ length: TAGS }, (_, n) => {
    const tag = { path: pathOf(n), type: 'Double', unit, description: `Speed of motor ${n}` };
    if (n % 10 === 9) return { ...tag, kind: 'calculation', settings: { expression: `tag('${pathOf(n - 1)}') * 2` } };
    if (n % 3 !== 0) return { ...tag, kind: 'storage', settings: {} };
    const signal = { kind: 'sine', min: 0, max: 3_000, periodMs: 60_000 };
    return { ...tag, kind: 'machine', settings: { signal, updateMs: 1_000 } };
  });
}

async function slowestMedian(texts: readonly string[], work: (text: string) => unknown) {
  const medians: number[] = [];
  for (const text of texts) medians.push(median(await timesOf(() => work(text), ROUNDS)));
  return {
    figure: Math.max(...medians),
    detail: texts.map((text, at) => `${text}: ${medians[at]?.toFixed(1)} ms`).join(', '),
  };
}

export const benches: Bench[] = [
  {
    area: 'tags',
    name: 'completion among 50,000 tags, the slowest of several words',
    unit: 'ms',
    goal: { atMost: 50 },
    run() {
      const catalog = largeCatalog();
      const words = ['Plant.Area1', 'machine4711', 'motor.sp', 'e', 'zzz', 'area1 line7'];
      return slowestMedian(words, (text) => completionsOf(catalog, text, 200));
    },
  },
  {
    area: 'tags',
    name: 'the nearest paths to a misspelled one among 50,000 tags',
    unit: 'ms',
    goal: { atMost: 60 },
    run() {
      const catalog = largeCatalog();
      return slowestMedian(['Plant.Area5.Line5.Machine5.Moter.Sped'], (text) => nearestPaths(catalog, text));
    },
  },
  {
    area: 'tags',
    name: 'an import of 50,000 tags of three kinds in the window, from the choice of the file: the slower of new and existing tags',
    unit: 's',
    goal: { atMost: 2.5 },
    async run() {
      // A real file, as a person chooses one: bytes would first pass through the test's connection to the browser.
      const folder = await mkdtemp(join(tmpdir(), 'tagwright-import-'));
      const workbench = await startBrowserWorkbench({ ownBrowser: true });
      try {
        const { page } = await workbench.open({ view: 'tags' });
        const file = join(folder, 'tags.json');
        const times: number[] = [];
        let bytes = 0;
        for (const [unit, expected] of [
          ['rpm', '50,000 created, 0 replaced.'],
          ['1/min', '0 created, 50,000 replaced.'],
        ] as const) {
          const text = JSON.stringify(threeKinds(unit));
          bytes = Buffer.byteLength(text);
          await writeFile(file, text);
          const chooser = page.waitForEvent('filechooser');
          await page.getByRole('button', { name: 'Import' }).click();
          const began = performance.now();
          await (await chooser).setFiles(file);
          const dialog = page.getByRole('dialog', { name: 'Import tags' });
          await dialog.getByRole('progressbar', { name: 'Importing' }).waitFor();
          await dialog.getByText(expected).waitFor();
          times.push(performance.now() - began);
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
        }
        const [created = 0, replaced = 0] = times.map((ms) => ms / 1_000);
        const megabytes = (bytes / 1_000_000).toFixed(0);
        const detail = `created in ${created.toFixed(2)} s, replaced in ${replaced.toFixed(2)} s, ${megabytes} MB`;
        return { figure: Math.max(created, replaced), detail };
      } finally {
        await workbench.close();
        await rm(folder, { recursive: true });
      }
    },
  },
];
