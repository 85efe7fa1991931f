import { useState } from 'react';
import { MOCK_METHODS } from '#domain/mock/mock';
import type { MockTrial } from '#domain/mock/mock';
import { problemOf } from '../../../client/errors.ts';
import { openPane } from '../../../frame/panes/panes.ts';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { Button, Field, Input, Select, Textarea } from '../../../ui/fluent.ts';
import { CheckmarkCircleFilled, ErrorCircleFilled, PlayFilled, WarningFilled } from '../../../ui/icons.ts';
import { imageUrl } from '../../../support/image-url.ts';
import { MessageView } from '../../../ui/text/message-view.tsx';
import { readForm } from '../model/mock-form.ts';
import type { MockForm } from '../model/mock-form.ts';
import { headersOf, trialOf } from '../model/trial.ts';
import type { TrialForm } from '../model/trial.ts';
import styles from '../mocks.module.css';

const METHODS = MOCK_METHODS.filter((method) => method !== 'ANY');

interface Props {
  /** The mock as edited, saved or not. */
  form: MockForm;
  /** Its id; null for a new one. */
  mockId: number | null;
  /** The response of its sequence in the editor, from 1. */
  response: number;
  active: boolean;
}

/** Sends a request to the mocks, as a script in offline mode would; nothing leaves this machine. */
export function TryPane({ form, mockId, response, active }: Props) {
  const { client } = useWorkbench();
  const [typed, setTyped] = useState<Partial<TrialForm>>({});
  const [outcome, setOutcome] = useState<MockTrial | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [more, setMore] = useState(false);
  const request = { ...trialOf(form), ...typed };
  const change = (part: Partial<TrialForm>) => setTyped({ ...typed, ...part });
  const send = async () => {
    openPane('mock-try');
    const { route, issues } = readForm(form);
    // The name is required when the mock is saved, not before.
    const issue = [...issues].find(([field]) => field !== 'name')?.[1];
    setOutcome(null);
    setProblem(issue ?? null);
    if (issue !== undefined) return;
    setBusy(true);
    try {
      const { method, url, headers, body } = request;
      const sent = { method, url, headers: headersOf(headers), body: body === '' ? null : body };
      setOutcome(await client.mocks.try({ ...sent, draft: { id: mockId, route }, response }));
    } catch (error) {
      setProblem(problemOf(error).message);
    } finally {
      setBusy(false);
    }
  };
  useCommands([
    { id: 'mocks.try', section: 'API mocks', title: 'Try the mock', keys: 'F5', enabled: active && !busy, run: send },
  ]);
  const extras = more || request.headers !== '' || request.body !== '';
  return (
    <>
      <form
        className={styles.tryForm}
        aria-label="Request to try"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <div className={styles.tryLine}>
          <Select
            size="small"
            aria-label="Method to try"
            value={request.method}
            onChange={(_event, { value }) => {
              const method = METHODS.find((name) => name === value);
              if (method) change({ method });
            }}
          >
            {METHODS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
          <Input
            size="small"
            data-pane-focus
            className={styles.code}
            aria-label="URL to try"
            placeholder="https://erp.example/api/orders/1"
            spellCheck={false}
            value={request.url}
            onChange={(_event, { value }) => change({ url: value })}
          />
          <Button
            size="small"
            type="submit"
            icon={<PlayFilled />}
            aria-keyshortcuts="F5"
            title="Try (F5): nothing leaves this machine"
            disabledFocusable={busy}
          >
            Try
          </Button>
          {!extras && (
            <Button size="small" appearance="subtle" onClick={() => setMore(true)}>
              Headers, body
            </Button>
          )}
        </div>
        {extras && (
          <div className={styles.two}>
            <Field label="Headers, one per line" size="small">
              <Textarea
                size="small"
                className={styles.code}
                rows={2}
                spellCheck={false}
                placeholder="Accept: application/json"
                value={request.headers}
                onChange={(_event, { value }) => change({ headers: value })}
              />
            </Field>
            <Field label="Body" size="small">
              <Textarea
                size="small"
                className={styles.code}
                rows={2}
                spellCheck={false}
                value={request.body}
                onChange={(_event, { value }) => change({ body: value })}
              />
            </Field>
          </div>
        )}
      </form>
      <div className={styles.outcome} role="status" aria-label="Result">
        {problem !== null && (
          <p className={styles.bad}>
            <ErrorCircleFilled aria-hidden /> {problem}
          </p>
        )}
        {problem === null && outcome === null && (
          <p className={styles.quiet}>
            {busy
              ? 'Trying…'
              : 'Try shows which mock responds to a request, and its response, with your unsaved changes.'}
          </p>
        )}
        {outcome && <Outcome outcome={outcome} name={form.name} />}
      </div>
    </>
  );
}

/** A quoted name of any text direction. */
function Quoted({ name }: { name: string }) {
  return (
    <>
      “<bdi>{name}</bdi>”
    </>
  );
}

function Outcome({ outcome, name }: { outcome: MockTrial; name: string }) {
  const { mock, sequence, miss, answer, error, ms } = outcome;
  const which = sequence ? `Response ${sequence.response} of ${sequence.count}` : 'Response';
  return (
    <>
      {miss !== null && (
        <p className={styles.warning}>
          <WarningFilled aria-hidden /> {name.trim() === '' ? 'The new mock' : <Quoted name={name} />} does not match:{' '}
          {miss}.
        </p>
      )}
      {mock && (
        <p className={miss === null ? styles.good : undefined}>
          {miss === null && <CheckmarkCircleFilled aria-hidden />} {which} from <Quoted name={mock.name} /> in {ms} ms
          {answer && `: ${answer.status}`}
        </p>
      )}
      {error && (
        <p className={styles.bad}>
          <ErrorCircleFilled aria-hidden /> {error.name}: {error.message}
        </p>
      )}
      {answer && (
        <MessageView
          label="Response"
          level={2}
          headers={answer.headers}
          text={answer.base64 === null ? answer.text : null}
          image={answer.base64 === null ? null : imageUrl(answer.base64)}
          bytes={answer.bytes}
        />
      )}
    </>
  );
}
