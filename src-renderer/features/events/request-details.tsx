import { useEffect, useState } from 'react';
import type { ApiMessages, ApiRequest } from '#domain/mock/api-request';
import { problemOf } from '../../client/errors.ts';
import { WhyButton } from '../../frame/why/why-button.tsx';
import { useWorkbench } from '../../frame/workbench.ts';
import { moment } from '../../support/moment.ts';
import { MessageView } from '../../ui/text/message-view.tsx';
import { FAULT_TEXTS } from './model/fault-texts.ts';
import { StatusMark } from './requests-pane.tsx';
import styles from './events.module.css';

/** One request to the events API: who sent it, its headers and bodies. */
export function RequestDetails({ request }: { request: ApiRequest }) {
  const { client } = useWorkbench();
  const { seq, method, path, at, ms, bytes } = request;
  const [found, setFound] = useState<{ messages: ApiMessages | null } | { problem: string } | null>(null);
  useEffect(() => {
    const end = new AbortController();
    client.eventsApi.request({ seq }, { signal: end.signal }).then(setFound, (error: unknown) => {
      if (!end.signal.aborted) setFound({ problem: problemOf(error).message });
    });
    return () => end.abort();
  }, [client, seq]);
  return (
    <div className={styles.details}>
      <header className={styles.detailsHead}>
        <h2>
          {method} <StatusMark request={request} />
        </h2>
        <WhyButton thing={`request:${seq}`} quiet />
      </header>
      <p className={styles.requestPath}>
        <code>{path}</code>
      </p>
      <dl className={styles.fields} aria-label="Request">
        <div>
          <dt>Time</dt>
          <dd>{moment(new Date(at))}</dd>
        </div>
        <div>
          <dt>Client</dt>
          <dd>{request.client}</dd>
        </div>
        <div>
          <dt>Program</dt>
          <dd>{request.userAgent || 'not named'}</dd>
        </div>
        <div>
          <dt>Duration</dt>
          <dd>{ms.toFixed(1)} ms</dd>
        </div>
        <div>
          <dt>Injected fault</dt>
          <dd>{request.injected === undefined ? 'none' : FAULT_TEXTS[request.injected].name}</dd>
        </div>
        <div>
          <dt>Response</dt>
          <dd>{bytes.toLocaleString('en')} bytes with its headers</dd>
        </div>
      </dl>
      {found && <Messages found={found} />}
    </div>
  );
}

function Messages({ found }: { found: { messages: ApiMessages | null } | { problem: string } }) {
  if ('problem' in found) return <p role="alert">{found.problem}</p>;
  if (!found.messages) {
    return <p className={styles.hint}>Headers and bodies are kept for the newest 300 requests since the start.</p>;
  }
  const { request, response } = found.messages;
  const compressed = response.bytes > 0 && response.body === null;
  return (
    <>
      <MessageView label="Request" headers={request.headers} text={request.body} image={null} bytes={request.bytes} />
      <MessageView
        label="Response"
        headers={response.headers}
        text={compressed ? '(compressed)' : response.body}
        image={null}
        bytes={response.bytes}
      />
    </>
  );
}
