import { z } from 'zod';
import type { JsonObject } from '#domain/text/json';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import type { TagDefinition, TagValue } from '#domain/tag/tag';
import type { Calculation } from '../calculation/evaluate.ts';
import { badValue, evaluate } from '../calculation/evaluate.ts';
import type { Expression } from '../calculation/expression.ts';
import { parseExpression, renameReferences } from '../calculation/expression.ts';
import { PLAIN } from '../../../platform/plain-words.ts';
import { orderOf } from '../calculation/graph.ts';
import type { Plan } from '../calculation/plan.ts';
import { Plans } from '../calculation/plan.ts';
import type { BatchKind, SettingIssue, ParsedSettings, ReadView } from './kind.ts';
import { issuesOf, refused } from './settings.ts';
import { cycleText } from '../values/chain-link.ts';

const schema = z.strictObject({ expression: z.string() });
/** How often a watch evaluates an expression that uses the clock or random numbers. */
const VOLATILE_MS = 1_000;

/**
 * Calculation tags: a JavaScript expression over other tags, evaluated in the sandbox, all those of a Get in one run,
 * together with the calculations that they depend on. No result is kept for the next Get. Scopes do not apply.
 */
export function calculationKind(): BatchKind {
  const byPath = new Map<string, Calculation>();
  /** The calculations that refer to a path. */
  const users = new Map<string, Set<string>>();
  /** The expressions of settings that `parse` returned. */
  const expressions = new WeakMap<JsonObject, Expression>();
  const plans = new Plans((path) => byPath.get(path));

  function expressionOf(settings: JsonObject): Expression {
    const known = expressions.get(settings);
    if (!known) throw new Error('the settings of a calculation tag were not parsed');
    return known;
  }

  function parse(settings: JsonObject): ParsedSettings {
    const checked = schema.safeParse(settings, PLAIN);
    if (!checked.success) return { ok: false, issues: issuesOf(checked.error) };
    const parsed = parseExpression(checked.data.expression);
    if (!parsed.ok) return refused(parsed.reason, 'expression');
    const own = { expression: checked.data.expression };
    expressions.set(own, parsed.expression);
    return { ok: true, settings: own };
  }

  function forget(path: string): void {
    const known = byPath.get(path);
    byPath.delete(path);
    for (const input of known?.expression.inputs ?? []) {
      const of = users.get(input);
      of?.delete(path);
      if (of?.size === 0) users.delete(input);
    }
  }

  /** Cycles that would result from saving the definitions. */
  function problemsOf(definitions: readonly TagDefinition[]): Map<string, SettingIssue> {
    const saved = new Map(definitions.map((definition) => [definition.path, definition]));
    const inputsOf = (path: string): readonly string[] => {
      const definition = saved.get(path);
      if (definition) return definition.kind === 'calculation' ? expressionOf(definition.settings).inputs : [];
      return byPath.get(path)?.expression.inputs ?? [];
    };
    const { circles } = orderOf(saved.keys(), inputsOf);
    const problems = new Map<string, SettingIssue>();
    for (const [path, circle] of circles) {
      if (!saved.has(path)) continue;
      const message = `calculations depend on each other in a cycle: ${cycleText(circle)}`;
      problems.set(path, { path: ['settings', 'expression'], message });
    }
    return problems;
  }

  async function read(tags: Parameters<BatchKind['read']>[0], view: ReadView): Promise<TagValue[]> {
    const requested = tags.map(({ path }) => byPath.get(path)).filter((found) => found !== undefined);
    const plan = plans.of(requested);
    const values = await inputValues(plan, view);
    for (const [calculation, circle] of plan.circles) {
      const reason = `calculations depend on each other in a cycle: ${cycleText(circle.map(({ path }) => path))}`;
      values.set(calculation.path, badValue(calculation, { quality: 'BadConfigurationError', reason }));
    }
    // The tags of the chain depend on themselves through a script; others see that by their quality.
    for (const path of view.chain) {
      const calculation = byPath.get(path);
      const cycle = calculation && plan.members.has(calculation) ? view.closesCycle(path) : null;
      if (calculation && cycle !== null) values.set(path, inCycle(calculation, cycle));
    }
    for (const step of plan.steps) {
      await Promise.all(step.map((batch) => evaluate(batch, values, view.scripts, view.chain)));
    }
    return tags.map(
      (tag) =>
        values.get(tag.path) ??
        badValue(
          { tag },
          { quality: 'BadInternalError', reason: 'its definition was changed in the meantime; read it again' },
        ),
    );
  }

  return {
    kind: 'calculation',
    mode: 'batch',
    parse,
    problemsOf,
    attach(tags) {
      for (const tag of tags) {
        forget(tag.path);
        const expression = expressionOf(tag.definition.settings);
        byPath.set(tag.path, { path: tag.path, tag, expression });
        for (const input of expression.inputs) {
          const of = users.get(input);
          if (of) of.add(tag.path);
          else users.set(input, new Set([tag.path]));
        }
      }
      plans.forget();
    },
    detach(tag) {
      forget(tag.path);
      plans.forget();
    },
    erase: () => undefined,
    retype: () => undefined,
    read: (tags, _scope, view) => read(tags, view),
    prepare: () => ({ ok: false, reason: 'a calculation tag cannot be written (BadNotWritable); write its inputs' }),
    changesAt: ({ path }, now) => (byPath.get(path)?.expression.volatile ? now + VOLATILE_MS : Infinity),
    inputs: ({ path }) => byPath.get(path)?.expression.inputs ?? [],
    dependents: (path) => users.get(path) ?? [],
    references: ({ definition }) =>
      expressionOf(definition.settings).references.map(({ path, literal: { line, column } }) => ({
        to: 'tag',
        path,
        member: 'expression',
        line,
        column,
      })),
    renameIn(settings, from, to) {
      const checked = parse(settings);
      if (!checked.ok) return settings;
      return { ...settings, expression: renameReferences(expressionOf(checked.settings), from, to) };
    },
  };
}

/**
 * The values of the tags of other kinds that a plan needs, in the default scope, and those of calculations in a cycle
 * with them. Script tags are read with the path that leads to them, so that a cycle through a script is found and can
 * be named.
 */
async function inputValues(plan: Plan, view: ReadView): Promise<Map<string, TagValue>> {
  const direct: string[] = [];
  const reads: Promise<TagValue[]>[] = [];
  for (const [path, way] of plan.inputs) {
    if (view.tag(path)?.kind.kind === 'script') reads.push(readThroughChain(path, way, view));
    else direct.push(path);
  }
  if (direct.length > 0) reads.push(Promise.resolve(view.get(direct, DEFAULT_SCOPE)));
  const read = (await Promise.all(reads)).flat();
  return new Map(read.map((value) => [value.path, value]));
}

async function readThroughChain(path: string, way: readonly Calculation[], view: ReadView): Promise<TagValue[]> {
  const views: ReadView[] = [];
  for (const calculation of way) views.push((views.at(-1) ?? view).within(calculation.path));
  const read = await (views.at(-1) ?? view).get([path], DEFAULT_SCOPE);
  // An expression may accept the bad quality of the script, but not that it depends on itself.
  const circular = way.flatMap((calculation, place) => {
    const cycle = views[place]?.cycle ?? null;
    return cycle === null ? [] : [inCycle(calculation, cycle)];
  });
  return [...read, ...circular];
}

function inCycle(calculation: Calculation, cycle: string): TagValue {
  const reason = `tags depend on each other in a cycle: ${cycle}`;
  return badValue(calculation, { quality: 'BadConfigurationError', reason });
}
