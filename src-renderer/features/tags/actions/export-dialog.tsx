import { useEffect, useEffectEvent, useState } from 'react';
import { useWorkbench } from '../../../frame/workbench.ts';
import { saveText } from '../../../support/files.ts';
import { PlainDialog } from '../../../ui/dialogs/plain-dialog.tsx';
import { Button, ProgressBar } from '../../../ui/fluent.ts';

/** A shorter export ends before anyone could read the message. */
const PATIENCE_MS = 400;

interface Props {
  format: 'csv' | 'json';
  /** Words in the paths of the exported tags. */
  filter: string;
  onClose: () => void;
}

/** Writes the definitions that match the filter to a file. A long export shows its progress, and can be cancelled. */
export function ExportDialog({ format, filter, onClose }: Props) {
  const { client, notify } = useWorkbench();
  const [isLong, setLong] = useState(false);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const end = new AbortController();
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    const run = async () => {
      const words = filter.trim();
      try {
        const wanted = { format, ...(words === '' ? {} : { filter: words }) };
        const { text, count } = await client.tags.export(wanted, { signal: end.signal });
        if (end.signal.aborted) return;
        saveText(`tags.${format}`, text, format === 'csv' ? 'text/csv' : 'application/json');
        notify({ intent: 'success', title: `${count.toLocaleString('en')} ${count === 1 ? 'tag' : 'tags'} exported` });
      } catch (error) {
        if (end.signal.aborted) return;
        notify({ intent: 'error', title: 'The tags were not exported', error });
      }
      close();
    };
    void run();
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, notify, format, filter]);
  const cancel = () => {
    onClose();
    notify({ intent: 'info', title: 'Export cancelled; no file was created' });
  };
  if (!isLong) return null;
  return (
    <PlainDialog title="Export tags" width={440} actions={<Button onClick={cancel}>Cancel</Button>} onClose={cancel}>
      <p role="status">Collecting the tags for {`tags.${format}`}…</p>
      <ProgressBar aria-label="Exporting" />
    </PlainDialog>
  );
}
