import { useMemo } from 'react';
import type { Rule } from '#domain/rule/rule';
import { draftedActions } from '../../drafted/drafted-actions.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import type { RulesModel } from './model/rules-model.ts';

/** Actions on rules that several places offer, with their notices. */
export interface RuleActions {
  toggle: (rule: Rule, what: 'enabled' | 'triggersEvents') => Promise<void>;
  remove: (rule: Rule, rows: 'keep' | 'drop') => Promise<void>;
  discard: (key: string) => void;
  fire: (rule: Rule, times: number) => Promise<void>;
}

export function useRuleActions(model: RulesModel): RuleActions {
  const { client, notify } = useWorkbench();
  return useMemo(() => {
    const { attempt, discard } = draftedActions(model, notify);
    return {
      toggle: (rule, what) => attempt('The rule was not changed', () => model.change(rule, { [what]: !rule[what] })),
      remove: (rule, rows) =>
        attempt('The rule was not deleted', async () => {
          await model.delete(rule, rows);
          notify({
            intent: 'info',
            title: `Deleted “${rule.name}”`,
            body:
              rows === 'keep'
                ? `Its rows stay in the table ${rule.resultTable}.`
                : 'Its rows and events are being deleted.',
            action: {
              label: 'Undo',
              run: () => attempt('The rule was not restored', () => model.restore(rule)),
            },
          });
        }),
      discard,
      fire: (rule, times) =>
        attempt('The rule did not fire', async () => {
          const { fired, firstRow, lastRow, firstEvent, lastEvent } = await client.rules.fire({ id: rule.id, times });
          const events = firstEvent === null ? 'no events' : rangeText('event', firstEvent, lastEvent ?? firstEvent);
          notify({
            intent: 'success',
            title: fired === 1 ? `“${rule.name}” fired` : `“${rule.name}” fired ${fired} times`,
            body: `${rangeText('row', firstRow, lastRow)}, ${events}`,
          });
        }),
    };
  }, [client, notify, model]);
}

const rangeText = (what: string, first: number, last: number): string =>
  first === last ? `${what} ${first}` : `${what}s ${first} to ${last}`;
