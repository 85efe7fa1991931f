import { useState } from 'react';
import type { Consumer, FaultKind } from '#domain/event/consumer';
import { FAULT_KINDS, FAULT_LIMITS } from '#domain/event/consumer';
import type { ApiRequest } from '#domain/mock/api-request';
import { typedWhole } from '#domain/text/typed-number';
import { useWorkbench } from '../../frame/workbench.ts';
import { clock, moment } from '../../support/moment.ts';
import { CountField } from '../../ui/fields/count-field.tsx';
import { Button, Checkbox } from '../../ui/fluent.ts';
import { consumerFields } from './model/consumer-texts.ts';
import { FAULT_TEXTS } from './model/fault-texts.ts';
import { statusText } from './model/requests.ts';
import styles from './events.module.css';

const SHOWN_REQUESTS = 10;

/** The numbers of a plan, with what their fields are named. */
const NUMBERS = {
  share: { label: 'Share of its requests (%)', range: { min: 1, max: 100 } },
  latencyMs: { label: 'Latency (ms)', range: { min: 0, max: FAULT_LIMITS.latencyMs } },
  requests: { label: 'Maximum faults', range: { min: 1, max: FAULT_LIMITS.requests } },
  seconds: { label: 'Duration (s)', range: { min: 1, max: FAULT_LIMITS.seconds } },
  seed: { label: 'Seed', range: { min: 0, max: 2 ** 31 } },
} as const;
type NumberName = keyof typeof NUMBERS;
const NAMES: readonly NumberName[] = ['share', 'latencyMs', 'requests', 'seconds', 'seed'];
const FIRST: Readonly<Record<NumberName, string>> = {
  share: '50',
  latencyMs: '1000',
  requests: '100',
  seconds: '60',
  seed: '1',
};

interface Props {
  consumer: Consumer;
  /** All of them, newest first. */
  requests: readonly ApiRequest[];
  active: boolean;
}

/** One consumer: what it did, and the faults that are injected for it. */
export function ConsumerDetails({ consumer, requests, active }: Props) {
  const own = requests.filter(({ userAgent, client }) => {
    return userAgent === consumer.program && client.slice(0, client.lastIndexOf(':')) === consumer.address;
  });
  return (
    <div className={styles.details}>
      <header className={styles.detailsHead}>
        <h2>Consumer</h2>
      </header>
      <dl className={styles.fields} aria-label="Consumer">
        {consumerFields(consumer).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={text}>{text}</dd>
          </div>
        ))}
      </dl>
      <h3>Fault injection</h3>
      <Faults consumer={consumer} active={active} />
      <h3>Newest requests</h3>
      <ul className={styles.calls}>
        {own.slice(0, SHOWN_REQUESTS).map((request) => (
          <li key={request.seq}>
            {moment(new Date(request.at))} {request.method} {request.path} {statusText(request)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Faults({ consumer: { name, faults }, active }: { consumer: Consumer; active: boolean }) {
  const { client, notify } = useWorkbench();
  const [kinds, setKinds] = useState<readonly FaultKind[]>(faults?.faults ?? []);
  const [texts, setTexts] = useState(FIRST);
  const typed = (field: NumberName): number | null => {
    const read = typedWhole(texts[field], NUMBERS[field].range);
    return read.ok ? read.value : null;
  };
  const [share, latencyMs, requests, seconds, seed] = NAMES.map(typed);
  const canInject = kinds.length > 0 && NAMES.every((field) => typed(field) !== null);
  const failed = (title: string) => (error: unknown) => notify({ intent: 'error', title, error });
  const inject = () => {
    if (!canInject) return;
    const numbers = { share: (share ?? 100) / 100, latencyMs: latencyMs ?? 0, seed: seed ?? 0 };
    client.consumers
      .inject({ consumer: name, faults: [...kinds], ...numbers, requests: requests ?? null, seconds: seconds ?? 1 })
      .catch(failed('No faults are injected'));
  };
  const end = () => void client.consumers.endFaults({ consumer: name }).catch(failed('The faults were not ended'));
  if (faults) {
    return (
      <>
        <p>
          {faults.faults.map((kind) => FAULT_TEXTS[kind].name).join(', ')}: {faults.injected.toLocaleString('en')}{' '}
          injected, until {clock(new Date(faults.endsAt))}
          {faults.requests !== null && ` or ${faults.requests.toLocaleString('en')} faults`}.
        </p>
        <Button size="small" onClick={end}>
          End faults
        </Button>
      </>
    );
  }
  return (
    <>
      <fieldset className={styles.faultKinds}>
        <legend>Responses for this consumer get one of these faults at random</legend>
        {FAULT_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            size="medium"
            label={FAULT_TEXTS[kind].name}
            title={FAULT_TEXTS[kind].explanation}
            checked={kinds.includes(kind)}
            onChange={(_event, { checked }) =>
              setKinds(FAULT_KINDS.filter((one) => (one === kind ? checked === true : kinds.includes(one))))
            }
          />
        ))}
      </fieldset>
      <div className={styles.faultNumbers}>
        {NAMES.map((field) => (
          <label key={field}>
            {NUMBERS[field].label}
            <CountField
              value={texts[field]}
              range={NUMBERS[field].range}
              active={active}
              onChange={(text) => setTexts({ ...texts, [field]: text })}
            />
          </label>
        ))}
      </div>
      <Button size="small" disabledFocusable={!canInject} onClick={inject}>
        Inject faults
      </Button>
    </>
  );
}
