import { Button, Input } from '@fluentui/react-components';
import { useState } from 'react';
import { RULE_LIMITS } from '#domain/rule';
import { problemOf } from '../../client/errors.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import styles from './events.module.css';

/** Makes events by firing a rule that triggers them. */
export function TestEvents({ ruleId }: { ruleId: number | null }) {
  const { client, notify } = useWorkbench();
  const [count, setCount] = useState('1');
  const [making, setMaking] = useState(false);
  const isRight = /^\d{1,5}$/.test(count) && Number(count) >= 1 && Number(count) <= RULE_LIMITS.firings;
  const make = async () => {
    setMaking(true);
    try {
      const input = { count: Number(count), ...(ruleId !== null && { ruleId }) };
      const { created } = await client.events.createTest(input);
      notify({ intent: 'success', title: created === 1 ? '1 test event made' : `${created} test events made` });
    } catch (error) {
      notify({ intent: 'error', title: 'No test events were made', body: problemOf(error).message });
    }
    setMaking(false);
  };
  return (
    <>
      <Button size="small" disabledFocusable={!isRight || making} onClick={() => void make()}>
        Make test events
      </Button>
      <Input
        size="small"
        className={styles.times ?? ''}
        inputMode="numeric"
        aria-label="How many test events"
        aria-invalid={!isRight}
        title={`1 to ${RULE_LIMITS.firings.toLocaleString()}`}
        value={count}
        onChange={(_event, { value }) => setCount(value)}
      />
    </>
  );
}
