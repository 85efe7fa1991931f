import type { ReducerName, Rule, RuleOutput, RuleText, RuleWindow, SampleValue } from '#domain/rule/rule';
import { type TypedNumber, typedWhole } from '#domain/text/typed-number';
import { durationText } from '#domain/text/duration';
import { durationOf } from './duration.ts';

/** A list entry in the form; its key stays the same while others are added and removed. */
export interface TagLine {
  key: number;
  path: string;
}

export interface OutputLine {
  key: number;
  name: string;
  reducer: ReducerName;
  tag: string;
  state: string;
}

/** A rule in the form: numbers and durations are text, even invalid text. */
export interface RuleForm {
  name: string;
  description: string;
  enabled: boolean;
  triggersEvents: boolean;
  tags: readonly TagLine[];
  sampling: 'onChange' | 'interval';
  samplingEvery: string;
  window: RuleWindow['kind'];
  windowEvery: string;
  windowSamples: string;
  windowTag: string;
  outputs: readonly OutputLine[];
  condition: string;
}

/** The parsed form. */
export interface ReadRule {
  /** If `issues` is not empty, invalid values have a substitute, so that the rest can be checked. */
  rule: RuleText;
  /** Values that can't be parsed, by field. */
  issues: ReadonlyMap<string, string>;
  /** The keys of the form entries of the rule's tags, in order. */
  tagKeys: readonly number[];
  outputKeys: readonly number[];
}

const EMPTY: RuleForm = {
  name: '',
  description: '',
  enabled: true,
  triggersEvents: true,
  tags: [{ key: 0, path: '' }],
  sampling: 'onChange',
  samplingEvery: '500 ms',
  window: 'tumbling',
  windowEvery: '10 s',
  windowSamples: '10',
  windowTag: '',
  outputs: [{ key: 0, name: 'average', reducer: 'avg', tag: '', state: '' }],
  condition: '',
};

/** The form of a new rule. */
export const newForm = (): RuleForm => EMPTY;

/** The form of an existing rule. */
export function formOf(rule: RuleText): RuleForm {
  const { name, description, enabled, triggersEvents, tags, sampling, window, outputs, condition } = rule;
  return {
    ...EMPTY,
    name,
    description,
    enabled,
    triggersEvents,
    tags: tags.map((path, key) => ({ key, path })),
    sampling: sampling.kind,
    ...(sampling.kind === 'interval' && { samplingEvery: durationText(sampling.everyMs) }),
    window: window.kind,
    ...(window.kind === 'tumbling' && { windowEvery: durationText(window.everyMs) }),
    ...(window.kind === 'count' && { windowSamples: String(window.samples) }),
    ...(window.kind === 'while' && { windowTag: window.tag }),
    outputs: outputs.map(({ name: output, reducer, tag, state }, key) => ({
      key,
      name: output,
      reducer,
      tag,
      state: stateText(state),
    })),
    condition,
  };
}

/** The rule of a form, and the values that can't be parsed. Lines without a tag are skipped. */
export function readForm(form: RuleForm): ReadRule {
  const issues = new Map<string, string>();
  const numberOf = (field: string, typed: TypedNumber, instead: number): number => {
    if (!typed.ok) issues.set(field, typed.reason);
    return typed.ok ? typed.value : instead;
  };
  const window = (): RuleWindow => {
    if (form.window === 'tumbling') {
      return { kind: 'tumbling', everyMs: numberOf('window.everyMs', durationOf(form.windowEvery), 1_000) };
    }
    if (form.window === 'while') return { kind: 'while', tag: form.windowTag.trim() };
    if (form.window === 'manual') return { kind: 'manual' };
    return { kind: 'count', samples: numberOf('window.samples', typedWhole(form.windowSamples), 1) };
  };
  const tags = form.tags.filter(({ path }) => path.trim() !== '');
  const rule: RuleText = {
    name: form.name.trim(),
    description: form.description,
    enabled: form.enabled,
    triggersEvents: form.triggersEvents,
    tags: tags.map(({ path }) => path.trim()),
    sampling:
      form.sampling === 'onChange'
        ? { kind: 'onChange' }
        : { kind: 'interval', everyMs: numberOf('sampling.everyMs', durationOf(form.samplingEvery), 1_000) },
    window: window(),
    outputs: form.outputs.map(readOutput),
    condition: form.condition,
  };
  return { rule, issues, tagKeys: tags.map(({ key }) => key), outputKeys: form.outputs.map(({ key }) => key) };
}

function readOutput({ name, reducer, tag, state: text }: OutputLine): RuleOutput {
  const state = reducer === 'timeInState' ? stateOf(text) : undefined;
  return { name: name.trim(), reducer, tag: tag.trim(), ...(state !== undefined && { state }) };
}

/** Whether a form equals the saved rule; values of unselected choices are ignored. */
export function equalsSaved(form: RuleForm, rule: Rule): boolean {
  const { rule: formRule, issues } = readForm(form);
  return issues.size === 0 && JSON.stringify(formRule) === JSON.stringify(readForm(formOf(rule)).rule);
}

const nextKey = (lines: readonly { key: number }[]): number => Math.max(-1, ...lines.map(({ key }) => key)) + 1;

export function withTagLine(form: RuleForm): RuleForm {
  return { ...form, tags: [...form.tags, { key: nextKey(form.tags), path: '' }] };
}

export function withoutTagLine(form: RuleForm, key: number): RuleForm {
  return { ...form, tags: form.tags.filter((line) => line.key !== key) };
}

/** Changes a source tag; outputs of the former tag, or without a tag, get the new one. */
export function withTag(form: RuleForm, key: number, path: string): RuleForm {
  const before = form.tags.find((line) => line.key === key)?.path ?? '';
  return {
    ...form,
    tags: form.tags.map((line) => (line.key === key ? { key, path } : line)),
    outputs: form.outputs.map((line) => (line.tag === before || line.tag === '' ? { ...line, tag: path } : line)),
  };
}

export function withOutputLine(form: RuleForm): RuleForm {
  const tag = form.outputs.at(-1)?.tag ?? form.tags[0]?.path ?? '';
  const line: OutputLine = { key: nextKey(form.outputs), name: '', reducer: 'avg', tag, state: '' };
  return { ...form, outputs: [...form.outputs, line] };
}

export function withOutput(form: RuleForm, key: number, change: Partial<Omit<OutputLine, 'key'>>): RuleForm {
  return { ...form, outputs: form.outputs.map((line) => (line.key === key ? { ...line, ...change } : line)) };
}

export function withoutOutputLine(form: RuleForm, key: number): RuleForm {
  return { ...form, outputs: form.outputs.filter((line) => line.key !== key) };
}

/**
 * The value of a typed state: `true`, `false` and numbers are parsed, all else is text; quotes make such a value a
 * text. undefined for an empty field.
 */
export function stateOf(text: string): SampleValue | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    if (typeof value === 'boolean' || typeof value === 'string') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  } catch {
    // Text without quotes.
  }
  return trimmed;
}

/** The text that `stateOf` parses as that value. */
export function stateText(state: SampleValue | undefined): string {
  if (state === undefined) return '';
  if (typeof state !== 'string') return String(state);
  return stateOf(state) === state ? state : JSON.stringify(state);
}
