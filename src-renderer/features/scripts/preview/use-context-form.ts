import { useEffect, useState } from 'react';
import { remember, remembered } from '../../../ui/local-storage.ts';
import { withRecent } from '../model/contexts.ts';
import { EMPTY_CONTEXT } from '../model/run-context.ts';
import type { ContextForm } from '../model/run-context.ts';

/** The context last used with a script, remembered in this browser. */
export function useContextForm(workspace: string, key: string): [ContextForm, (form: ContextForm) => void] {
  const name = `${workspace}.context.${key}`;
  const [form, setForm] = useState<ContextForm>(() => ({ ...EMPTY_CONTEXT, ...remembered(name, EMPTY_CONTEXT) }));
  useEffect(() => {
    remember(name, form);
  }, [name, form]);
  return [form, setForm];
}

/** The contexts that a script was run with by hand, newest first, remembered in this browser. */
export function useRecentContexts(workspace: string, key: string): [ContextForm[], (used: ContextForm) => void] {
  const name = `${workspace}.contexts.${key}`;
  const [recent, setRecent] = useState<ContextForm[]>(() => remembered(name, []));
  const keep = (used: ContextForm) => {
    const next = withRecent(recent, used);
    remember(name, next);
    setRecent(next);
  };
  return [recent, keep];
}
