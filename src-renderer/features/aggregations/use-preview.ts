import { useEffect, useMemo, useState } from 'react';
import type { RuleOutput } from '#domain/rule/rule';
import type { RulePreview } from '#domain/rule/rule-preview';
import { isAbort, problemOf } from '../../client/errors.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { placedIssues } from './model/issues.ts';
import type { Issues } from '../../client/issues.ts';
import { readForm } from './model/rule-form.ts';
import type { RuleForm } from './model/rule-form.ts';

/** Delay after the last key, ms. */
const TYPING_MS = 300;
/** The past hour moves on. */
const AGAIN_MS = 10_000;

interface PreviewResult extends RulePreview {
  /** In the order of the windows' values. */
  outputs: readonly RuleOutput[];
}

export interface Preview {
  /** The problems of the edited rule, by field. */
  issues: Issues;
  /** The preview; while the rule is invalid, that of the last valid input. */
  result: PreviewResult | null;
  /** Why there is no preview, if the rule is not the cause. */
  problem: string | null;
  /** Whether `result` belongs to the current input. */
  current: boolean;
}

const NOTHING: Preview = { issues: new Map(), result: null, problem: null, current: false };

/** Checks a rule during editing and shows its preview; refreshes while visible. */
export function usePreview(form: RuleForm, ruleId: number | null, active: boolean): Preview {
  const { client } = useWorkbench();
  const [preview, setPreview] = useState(NOTHING);
  const read = useMemo(() => readForm(form), [form]);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const refresh = async () => {
      try {
        const { rule } = read;
        const result = await client.rules.preview(
          { ...rule, ...(ruleId !== null && { id: ruleId }) },
          { signal: end.signal },
        );
        setPreview((before) => ({
          issues: read.issues,
          result: read.issues.size === 0 ? { ...result, outputs: rule.outputs } : before.result,
          problem: null,
          current: read.issues.size === 0,
        }));
        timer = setTimeout(() => void refresh(), AGAIN_MS);
      } catch (error) {
        if (isAbort(error) || end.signal.aborted) return;
        const { code, message, data } = problemOf(error);
        const issues = placedIssues(data, read);
        const refused = code === 'BAD_REQUEST' && issues.size > 0;
        setPreview(({ result }) => ({ issues, result, problem: refused ? null : message, current: false }));
      }
    };
    timer = setTimeout(() => void refresh(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, read, ruleId, active]);

  return preview;
}
