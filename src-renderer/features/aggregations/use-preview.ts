import { useEffect, useMemo, useState } from 'react';
import type { PreviewedWindow } from '#domain/rule/rule';
import { isAbort, problemOf } from '../../client/errors.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { placedIssues } from './model/issues.ts';
import type { Issues } from '../../client/issues.ts';
import { readForm } from './model/rule-form.ts';
import type { RuleForm } from './model/rule-form.ts';

/** After the last key, ms. */
const TYPING_MS = 300;
/** Samples go on being taken. */
const AGAIN_MS = 5_000;

interface PreviewResult {
  /** The names of the outputs, in the order of the windows' values. */
  outputs: string[];
  windows: readonly PreviewedWindow[];
  samples: number;
  unknownTags: readonly string[];
}

export interface Preview {
  /** What is wrong with the rule as it is typed, by field. */
  issues: Issues;
  /** What it would have made of recent samples; the last one that could be made, while the rule cannot be read. */
  result: PreviewResult | null;
  /** Why there is none, where that is not the rule's fault. */
  problem: string | null;
  /** Whether `result` belongs to what is typed now. */
  current: boolean;
}

const NOTHING: Preview = { issues: new Map(), result: null, problem: null, current: false };

/** Checks a rule while it is typed, and shows what it would have made; asks again as long as it is seen. */
export function usePreview(form: RuleForm, ruleId: number | null, active: boolean): Preview {
  const { client } = useWorkbench();
  const [preview, setPreview] = useState(NOTHING);
  const read = useMemo(() => readForm(form), [form]);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      try {
        const { rule } = read;
        const result = await client.rules.preview(
          { ...rule, ...(ruleId !== null && { id: ruleId }) },
          { signal: end.signal },
        );
        const outputs = rule.outputs.map(({ name }) => name);
        setPreview((before) => ({
          issues: read.issues,
          result: read.issues.size === 0 ? { ...result, outputs } : before.result,
          problem: null,
          current: read.issues.size === 0,
        }));
        timer = setTimeout(() => void ask(), AGAIN_MS);
      } catch (error) {
        if (isAbort(error) || end.signal.aborted) return;
        const { code, message, data } = problemOf(error);
        const issues = placedIssues(data, read);
        const refused = code === 'BAD_REQUEST' && issues.size > 0;
        setPreview(({ result }) => ({ issues, result, problem: refused ? null : message, current: false }));
      }
    };
    timer = setTimeout(() => void ask(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, read, ruleId, active]);

  return preview;
}
