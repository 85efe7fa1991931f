import { Button, Input } from '@fluentui/react-components';
import { useState } from 'react';
import { RULE_LIMITS } from '#domain/rule';
import { problemOf } from '../../client/errors.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { typedWhole } from '../../ui/typed-number.ts';
import styles from './events.module.css';

/** Makes events by firing a rule that triggers them. */
export function TestEvents({ ruleId }: { ruleId: number | null }) {
  const { client, notify } = useWorkbench();
  const [count, setCount] = useState('1');
  const [making, setMaking] = useState(false);
  const typed = typedWhole(count, { min: 1, max: RULE_LIMITS.firings });
  const make = async () => {
    if (!typed.ok) return;
    setMaking(true);
    try {
      const input = { count: typed.value, ...(ruleId !== null && { ruleId }) };
      const { created } = await client.events.createTest(input);
      notify({ intent: 'success', title: created === 1 ? '1 test event made' : `${created} test events made` });
    } catch (error) {
      notify({ intent: 'error', title: 'No test events were made', body: problemOf(error).message });
    }
    setMaking(false);
  };
  return (
    <>
      <Button size="small" disabledFocusable={!typed.ok || making} onClick={() => void make()}>
        Make test events
      </Button>
      <Input
        size="small"
        className={styles.times ?? ''}
        inputMode="numeric"
        aria-label="How many test events"
        aria-invalid={!typed.ok}
        title={`1 to ${RULE_LIMITS.firings.toLocaleString('en')}`}
        value={count}
        onChange={(_event, { value }) => setCount(value)}
      />
      {!typed.ok && <span role="alert">{typed.reason}</span>}
    </>
  );
}
