import { useEffect, useMemo, useState } from 'react';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { placedIssues } from '../model/issues.ts';
import type { Issues } from '../../../client/issues.ts';
import { readForm } from '../model/mock-form.ts';
import type { MockForm } from '../model/mock-form.ts';

/** Delay after the last key, ms. */
const TYPING_MS = 250;

/** The problems of a mock during editing: parse errors immediately, then those that main reports. */
export function useCheck(form: MockForm, active: boolean): Issues {
  const { client } = useWorkbench();
  const read = useMemo(() => readForm(form), [form]);
  const [found, setFound] = useState<{ read: typeof read; issues: Issues } | null>(null);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const ask = async () => {
      let data: unknown;
      try {
        data = await client.mocks.check(read.route, { signal: end.signal });
      } catch (error) {
        if (isAbort(error) || end.signal.aborted) return;
        // Only a rejection of the mock says something about the mock.
        data = problemOf(error).data;
      }
      setFound({ read, issues: placedIssues(data, read) });
    };
    const timer = setTimeout(() => void ask(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, read, active]);
  return found?.read === read ? found.issues : read.issues;
}
