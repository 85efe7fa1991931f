import type { Json } from '#domain/text/json';
import type { Rule, SampleValue } from '#domain/rule/rule';
import type { ClosedWindow, RuleProgress, WindowInput } from '#domain/rule/rule-window';
import { windowsOf } from '#domain/rule/rule-window';
import type { WriteEntry } from '#domain/run/run';
import type { ExpectedEvents } from '#domain/run/script-test';
import type { TagValue } from '#domain/tag/tag';
import type { ConditionRunner } from '../../events/rules/conditions/condition.ts';
import { evaluateCondition } from '../../events/rules/conditions/condition.ts';
import { sampleValue } from '../../events/rules/sampling/sampler.ts';

/** The values of the rules' tags before and after a run, and the writes in between. */
export interface Changes {
  before: ReadonlyMap<string, TagValue>;
  writes: readonly WriteEntry[];
  after: ReadonlyMap<string, TagValue>;
}

/**
 * The events that rules would create from the writes of a run, by name of rule: every rule opens a new window with the
 * current values of its tags and takes a sample at each write, and of each tag that depends on it, 1 ms apart; then a
 * clock-aligned window closes. Rules without changed tags, disabled rules and rules that trigger no events create none.
 */
export async function eventsOf(
  rules: readonly Rule[],
  changes: Changes,
  conditions: ConditionRunner,
  now: number,
): Promise<ExpectedEvents[]> {
  const found = await Promise.all(
    rules
      .filter(({ enabled, triggersEvents }) => enabled && triggersEvents)
      .map(async (rule) => ({ rule: rule.name, count: await firings(rule, changes, conditions, now) })),
  );
  return found.filter(({ count }) => count > 0);
}

async function firings(rule: Rule, changes: Changes, conditions: ConditionRunner, now: number): Promise<number> {
  const inputs = inputsOf(rule, changes, now);
  if (inputs.length === 0) return 0;
  const windows = windowsOf(rule);
  let progress = known(rule, windows, changes.before, now);
  const closed: ClosedWindow[] = [];
  const step = (input: WindowInput): void => {
    const next = windows.step(progress, input);
    progress = next.progress;
    if (next.closed && !next.closed.empty) closed.push(next.closed);
  };
  for (const input of inputs) step(input);
  const end = progress.window?.end;
  if (typeof end === 'number') step({ kind: 'time', at: end });
  if (rule.condition.trim() === '' || closed.length === 0) return closed.length;
  const verdicts = await evaluateCondition(
    rule,
    closed.map(({ outputs }) => outputs),
    conditions,
  );
  return verdicts.filter(({ kind }) => kind === 'fires').length;
}

/** A new window with the current values of its tags. */
function known(
  rule: Rule,
  windows: ReturnType<typeof windowsOf>,
  before: Changes['before'],
  now: number,
): RuleProgress {
  let progress = windows.begin(now);
  for (const [tag, path] of rule.tags.entries()) {
    const value = before.get(path);
    if (value) progress = windows.step(progress, { kind: 'sample', at: now, tag, value: sampleValue(value) }).progress;
  }
  // A window that the clock closes continues: it knows the values from its start.
  if (rule.window.kind !== 'tumbling') progress = windows.close(progress, now).progress;
  const gate = rule.window.kind === 'while' ? before.get(rule.window.tag)?.value : null;
  return gate === true ? windows.step(progress, { kind: 'gate', at: now, open: true }).progress : progress;
}

function inputsOf(rule: Rule, { before, writes, after }: Changes, now: number): WindowInput[] {
  const gated = rule.window.kind === 'while' ? rule.window.tag : null;
  const shown = new Map([...before].map(([path, { value }]) => [path, value]));
  const inputs: WindowInput[] = [];
  const take = (path: string, value: Json, sampled: SampleValue | null): void => {
    const tag = rule.tags.indexOf(path);
    if ((tag < 0 && path !== gated) || shown.get(path) === value) return;
    shown.set(path, value);
    const at = now + inputs.length + 1;
    if (tag >= 0) inputs.push({ kind: 'sample', at, tag, value: sampled });
    if (path === gated && typeof value === 'boolean') inputs.push({ kind: 'gate', at, open: value });
  };
  // Rules see the default scope.
  for (const { path, value, diagram, location } of writes) {
    if (diagram === '' && location === '') take(path, value, usable(value));
  }
  for (const path of gated === null ? rule.tags : [...rule.tags, gated]) {
    const value = after.get(path);
    if (value) take(path, value.value, sampleValue(value));
  }
  return inputs;
}

const usable = (value: Json): SampleValue | null =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : null;
