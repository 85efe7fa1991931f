import type { ApiMessage } from '#domain/mock/api-call';
import type { ApiCallEntry } from '#domain/run/run';
import { PlainDialog } from '../../../ui/dialogs/plain-dialog.tsx';
import { sourceOf } from './trace-rows.tsx';
import styles from './preview.module.css';

/** An API call of a run: its request and its response, with secrets masked. */
export function CallDialog({ call, onClose }: { call: ApiCallEntry; onClose: () => void }) {
  const { operation, method, url, statusCode, ms, error, request, response } = call;
  return (
    <PlainDialog
      title={`${operation}: ${error ?? `status ${statusCode}`}`}
      width="min(900px, calc(100vw - 48px))"
      className={styles.call}
      onClose={onClose}
    >
      <p className={styles.callUrl}>
        {method} {url}
      </p>
      <p className={styles.quiet}>
        {sourceOf(call)} · {ms.toFixed(0)} ms · secrets are masked
      </p>
      <Message title="Request" message={request} />
      {response ? <Message title="Response" message={response} /> : <p>No response.</p>}
    </PlainDialog>
  );
}

function Message({ title, message: { headers, body, bytes } }: { title: string; message: ApiMessage }) {
  const text = [...headers.map(([name, value]) => `${name}: ${value}`), '', bodyText(body, bytes)].join('\n').trim();
  return (
    <>
      <h3>{title}</h3>
      <pre tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </>
  );
}

function bodyText(body: string | null, bytes: number): string {
  if (body === null) return bytes === 0 ? '(no body)' : `(${bytes} bytes, not shown)`;
  return body;
}
