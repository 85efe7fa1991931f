import { useEffect, useState } from 'react';
import type { MockPreview } from '#domain/mock/mock';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { Text } from '../../../ui/fluent.ts';
import { Method } from './method.tsx';
import styles from '../mocks.module.css';

export type ImportSource = Parameters<Client['mocks']['preview']>[0];

/** Delay after the last key, ms. */
const TYPING_MS = 250;

/** What an import of the source would add, or why it can't be read; null while it is being read, or without a source. */
export function usePreview(source: ImportSource | null): { preview: MockPreview } | { problem: string } | null {
  const { client } = useWorkbench();
  const key = JSON.stringify(source);
  const [read, setRead] = useState<{ key: string; outcome: { preview: MockPreview } | { problem: string } } | null>(
    null,
  );
  useEffect(() => {
    if (source === null) return undefined;
    const end = new AbortController();
    const preview = async () => {
      try {
        setRead({ key, outcome: { preview: await client.mocks.preview(source, { signal: end.signal }) } });
      } catch (error) {
        if (!isAbort(error) && !end.signal.aborted) setRead({ key, outcome: { problem: problemOf(error).message } });
      }
    };
    const timer = setTimeout(() => void preview(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the source
  }, [client, key]);
  return source !== null && read?.key === key ? read.outcome : null;
}

/** The mocks that an import would add, and what it skips. */
export function ImportPreview({ preview }: { preview: MockPreview }) {
  const { count, mocks, skipped, format } = preview;
  return (
    <section aria-label="Preview" className={styles.preview}>
      <Text role="status">
        {count} {count === 1 ? 'mock' : 'mocks'} ({format}){skipped.length > 0 && `, ${skipped.length} remarks`}
      </Text>
      <ul aria-label="Mocks to import" tabIndex={0}>
        {mocks.slice(0, 200).map(({ name, enabled, method, url, status }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- they never change
          <li key={index} data-off={!enabled}>
            <Method name={method} /> <code title={name}>{url}</code>{' '}
            <span>{enabled ? status : `${status}, disabled`}</span>
          </li>
        ))}
        {count > 200 && <li>… and {count - 200} more</li>}
      </ul>
      {skipped.length > 0 && (
        <ul aria-label="Remarks" tabIndex={0}>
          {skipped.map((text, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- they never change
            <li key={index}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
