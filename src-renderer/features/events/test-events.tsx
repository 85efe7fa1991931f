import { useState } from 'react';
import { RULE_LIMITS } from '#domain/rule/rule';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { CountField } from '../../ui/fields/count-field.tsx';
import { Button } from '../../ui/fluent.ts';
import { typedWhole } from '#domain/text/typed-number';
import styles from './events.module.css';

const RANGE = { min: 1, max: RULE_LIMITS.firings };

/** Creates events by firing a rule that triggers them. */
export function TestEvents({ active, ruleId }: { active: boolean; ruleId: number | null }) {
  const { client, notify } = useWorkbench();
  const [count, setCount] = useState('1');
  const [making, setMaking] = useState(false);
  const typed = typedWhole(count, RANGE);
  const make = async () => {
    if (!typed.ok) return;
    setMaking(true);
    try {
      const input = { count: typed.value, ...(ruleId !== null && { ruleId }) };
      const { created } = await client.events.createTest(input);
      notify({
        intent: 'success',
        title: created === 1 ? '1 test event created' : `${created.toLocaleString('en')} test events created`,
      });
    } catch (error) {
      notify({ intent: 'error', title: 'No test events were created', error });
    }
    setMaking(false);
  };
  const canMake = typed.ok && !making;
  useCommands([
    {
      id: 'events.makeTest',
      section: 'Events',
      title: 'Create test events',
      keys: 'Alt+N',
      enabled: active && canMake,
      run: make,
    },
  ]);
  return (
    <>
      <Button
        size="small"
        className={styles.apart ?? ''}
        aria-keyshortcuts="Alt+N"
        title="Fire the selected rule, or the first one that triggers events (Alt+N)"
        disabledFocusable={!canMake}
        onClick={() => void make()}
      >
        Create test events
      </Button>
      <CountField aria-label="Number of test events" value={count} range={RANGE} active={active} onChange={setCount} />
    </>
  );
}
