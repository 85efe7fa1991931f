import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import type { ApiMessage } from '#domain/api-call';
import type { ApiCallEntry } from '#domain/run';
import { sourceOf } from './trace-rows.tsx';
import styles from './preview.module.css';

/** An API call of a run: what was asked and what came back, with secrets masked. */
export function CallDialog({ call, onClose }: { call: ApiCallEntry; onClose: () => void }) {
  const { operation, method, url, statusCode, ms, error, request, response } = call;
  return (
    <Dialog open onOpenChange={(_event, { open }) => !open && onClose()}>
      <DialogSurface style={{ maxWidth: 'min(900px, calc(100vw - 48px))' }}>
        <DialogBody>
          <DialogTitle>
            {operation}: {error ?? `status ${statusCode}`}
          </DialogTitle>
          <DialogContent className={styles.call}>
            <p className={styles.callUrl}>
              {method} {url}
            </p>
            <p className={styles.quiet}>
              {sourceOf(call)} · {ms.toFixed(0)} ms · secrets are masked
            </p>
            <Message title="Request" message={request} />
            {response ? <Message title="Answer" message={response} /> : <p>There was no answer.</p>}
          </DialogContent>
          <DialogActions>
            <Button appearance="primary" onClick={onClose}>
              Close
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
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
  if (body === null) return bytes === 0 ? '(no body)' : `(${bytes} bytes that are not shown)`;
  return body;
}
