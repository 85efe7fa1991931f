import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ruleText } from '#contract/aggregation';
import { diagramText } from '#contract/texts/diagram-text';
import { mockRoute } from '#contract/texts/mock-route';
import { json, quality, tagWrite } from '#contract/schemas';
import { scriptTestsFile, testsFileOf } from '#contract/texts/script-test-text';
import type { RuleService } from '../../events/rules/rule-service.ts';
import type { DiagramService } from '../../plant/diagrams/diagram-service.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { formOf } from '#domain/run/saved-context';
import type { MockService } from '../../outbound/mocks/mock-service.ts';
import type { ScriptTestService } from '../../scripting/tests/script-test-service.ts';
import type { RunContexts } from '../../scripting/scripts/run-contexts.ts';
import type { ScriptLibrary } from '../../scripting/scripts/script-library.ts';
import type { TagService } from '../../plant/tags/tag-service.ts';

export interface SampleTarget {
  mocks: Pick<MockService, 'list' | 'save'>;
  tags: TagService;
  scripts: ScriptLibrary;
  rules: RuleService;
  scriptTests: Pick<ScriptTestService, 'list' | 'save'>;
  runContexts: Pick<RunContexts, 'get' | 'save'>;
  diagrams: Pick<DiagramService, 'list' | 'save'>;
  /** Runs SQL on an empty plant.db; has no effect on another. */
  plant: { setUp(sql: string): Promise<void> };
}

/** Values for a Diagram or location of the sample; `''` is the shared default. */
const values = z.array(z.strictObject({ diagram: z.string(), location: z.string(), items: z.array(tagWrite) }));
const forced = z.array(z.strictObject({ path: z.string(), quality }));
const mockFile = z.object({ mocks: z.array(mockRoute()) });
const scriptIndex = z.array(
  z.strictObject({
    group: z.string(),
    name: z.string(),
    description: z.string(),
    /** The file of the body, next to the index. */
    file: z.string(),
    /** The suggested input of a first run of the script, with its name. */
    context: z.strictObject({
      name: z.string(),
      tagName: z.string(),
      diagram: z.string().nullable(),
      location: z.string().nullable(),
      tagValue: json.exactOptional(),
    }),
  }),
);

/**
 * Fills a new workspace with a sample: the tags, values, scripts and rules of a folder such as
 * `resources/sample/bottling`. Can be repeated after an interruption: existing items stay. Throws INTERNAL if the
 * folder is incomplete: it is part of the product.
 */
export async function installSample(
  folder: string,
  { mocks, tags, scripts, scriptTests, runContexts, rules, plant, diagrams }: SampleTarget,
): Promise<void> {
  const index = scriptIndex.parse(await jsonOf(folder, 'scripts.json'));
  const bodies = await Promise.all(index.map(({ file }) => textOf(folder, file)));
  const scoped = values.parse(await jsonOf(folder, 'values.json'));
  const qualities = forced.parse(await jsonOf(folder, 'forced.json'));

  const ruleTexts = z.array(ruleText).parse(await jsonOf(folder, 'rules.json'));
  const routes = mockFile.parse(await jsonOf(folder, 'mocks.json')).mocks;
  const tests = await Promise.all(index.map(({ file }) => testsIn(folder, testsFileOf(file))));
  const pages = z.array(diagramText()).parse(await jsonOf(folder, 'diagrams.json'));
  const definitions = await textOf(folder, 'tags.json');
  const present = new Set(scripts.list().scripts.map(({ group, name }) => `${group}/${name}`));
  // All at once, so that they are one commit; before the tags, which refer to scripts.
  await Promise.all(
    index.map(async ({ group, name, description, context }, place) => {
      if (present.has(`${group}/${name}`)) return;
      const { id } = await scripts.save({ group, name, description, body: bodies[place] ?? '' });
      // It continues a deleted script of that name, with its tests and contexts.
      const presentTests = new Set(scriptTests.list({ scriptId: id }).map((one) => one.name));
      const isPresent = runContexts.get({ id }).named.some((one) => one.name === context.name);
      await Promise.all([
        ...(tests[place] ?? [])
          .filter((one) => !presentTests.has(one.name))
          .map((one) => scriptTests.save({ ...one, scriptId: id })),
        ...(isPresent ? [] : [runContexts.save({ id, context: { ...formOf(context), name: context.name } })]),
      ]);
    }),
  );
  await plant.setUp(await textOf(folder, 'plant.sql'));
  const { refused } = await tags.definitions.import({ format: 'json', text: definitions });
  const [first] = refused;
  if (first) throw incomplete(folder, `tag ${first.row} (${first.path}): ${first.reason}`);
  const presentMocks = new Set(mocks.list().mocks.map(({ name }) => name));
  const presentPages = new Set(diagrams.list().map(({ name }) => name));
  const presentRules = new Set(rules.list().map(({ name }) => name));
  await Promise.all([
    ...scoped.map((set) => tags.set(set)),
    ...qualities.map((one) => tags.force(one)),
    ...routes.filter(({ name }) => !presentMocks.has(name)).map((route) => mocks.save(route)),
    ...pages.filter(({ name }) => !presentPages.has(name)).map((page) => diagrams.save(page)),
    ...ruleTexts.filter(({ name }) => !presentRules.has(name)).map((rule) => rules.save(rule)),
  ]);
}

/** Not every script has tests. */
async function testsIn(folder: string, file: string) {
  return existsSync(join(folder, file)) ? scriptTestsFile().parse(await jsonOf(folder, file)) : [];
}

async function jsonOf(folder: string, file: string): Promise<unknown> {
  return JSON.parse(await textOf(folder, file));
}

async function textOf(folder: string, file: string): Promise<string> {
  try {
    return await readFile(join(folder, file), 'utf8');
  } catch (thrown) {
    throw incomplete(folder, `"${file}" cannot be read`, thrown);
  }
}

function incomplete(folder: string, what: string, cause?: unknown): TagwrightError {
  const message = `The sample in "${folder}" is not complete (${what}). Install Tagwright again, or start without it.`;
  return new TagwrightError('INTERNAL', message, { cause });
}
