import { useEffect, useRef, useState } from 'react';
import type { CheckResult, Diagnosis } from '#domain/workspace/diagnosis';
import type { Client } from '../../client/client.ts';
import { isAbort, problemOf } from '../../client/errors.ts';

/** The checks so far. */
export interface DiagnosisState {
  /** The current check; null while none is running. */
  doing: string | null;
  checks: readonly CheckResult[];
  /** The last completed diagnosis. */
  diagnosis: Diagnosis | null;
  /** Whether it was cancelled, or why it ended. */
  ended: 'cancelled' | { problem: string } | null;
}

const NOTHING: DiagnosisState = { doing: null, checks: [], diagnosis: null, ended: null };

/** Runs the checks on request, and continues while other views are open. */
export function useDiagnosis(client: Client) {
  const [state, setState] = useState(NOTHING);
  const under = useRef<AbortController | null>(null);
  useEffect(() => () => under.current?.abort(), []);

  const run = async (full: boolean): Promise<void> => {
    under.current?.abort();
    const end = new AbortController();
    under.current = end;
    const change = (next: (before: DiagnosisState) => DiagnosisState) => {
      if (under.current === end) setState(next);
    };
    change(() => ({ ...NOTHING, doing: 'Starting' }));
    try {
      for await (const step of await client.diagnostics.run({ full }, { signal: end.signal })) {
        const { doing, checks, diagnosis } = step;
        change((before) => ({
          doing: diagnosis ? null : doing,
          checks: [...before.checks, ...checks],
          diagnosis,
          ended: null,
        }));
      }
      change((before) => (before.diagnosis ? before : { ...before, doing: null, ended: 'cancelled' }));
    } catch (error) {
      const cancelled = isAbort(error) || end.signal.aborted;
      const ended = cancelled ? ('cancelled' as const) : { problem: problemOf(error).message };
      change((before) => ({ ...before, doing: null, ended }));
    }
  };
  return { state, run, cancel: () => under.current?.abort() };
}
