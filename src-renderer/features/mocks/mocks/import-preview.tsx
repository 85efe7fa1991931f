import { useEffect, useState } from 'react';
import type { MockPreview } from '#domain/mock/mock';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { issuesIn } from '../../../client/issues.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { Text } from '../../../ui/fluent.ts';
import { Method } from '../../../ui/text/method.tsx';
import styles from '../mocks.module.css';

export type ImportSource = Parameters<Client['mocks']['preview']>[0];

/** Delay after the last key, ms. */
const TYPING_MS = 250;

/** Why an import can't be read; of several files, the problem of each. */
export interface ImportProblem {
  message: string;
  files: readonly { path: string; message: string }[];
}

/** The problem of an import that main rejected. */
export function importProblemOf(error: unknown): ImportProblem {
  const { message, data } = problemOf(error);
  const files = issuesIn(data).flatMap(({ path: [path], message: text }) =>
    typeof path === 'string' ? [{ path, message: text }] : [],
  );
  const count = files.length === 1 ? '1 file has a problem' : `${files.length} files have problems`;
  return { message: files.length > 0 ? `${count}, so nothing is imported.` : message, files };
}

/** What an import would add, or why its source can't be read; null before that is known. */
export type ReadSource = { preview: MockPreview } | { problem: ImportProblem } | null;

/**
 * Reads a source, which stays the same object while nothing changes; null is no source. While it is being read, `read`
 * is that of the source before.
 */
export function usePreview(source: ImportSource | null): { read: ReadSource; isReading: boolean } {
  const { client } = useWorkbench();
  const [last, setLast] = useState<{ source: ImportSource; read: ReadSource } | null>(null);
  useEffect(() => {
    if (source === null) return undefined;
    const end = new AbortController();
    const preview = async () => {
      try {
        setLast({ source, read: { preview: await client.mocks.preview(source, { signal: end.signal }) } });
      } catch (error) {
        if (!isAbort(error) && !end.signal.aborted) setLast({ source, read: { problem: importProblemOf(error) } });
      }
    };
    const timer = setTimeout(() => void preview(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, source]);
  if (source === null) return { read: null, isReading: false };
  return { read: last?.read ?? null, isReading: last?.source !== source };
}

/** The mocks that an import would add, and what it skips. Its height stays the same, so that no button moves. */
export function ImportPreview({ preview, isReading }: { preview: MockPreview | null; isReading: boolean }) {
  const { count = 0, mocks = [], skipped = [], format } = preview ?? {};
  return (
    <section aria-label="Preview" aria-busy={isReading} className={styles.preview}>
      <Text role="status">
        {isReading ? 'Reading…' : `${count} ${count === 1 ? 'mock' : 'mocks'} (${format})`}
        {!isReading && skipped.length > 0 && `, ${skipped.length} ${skipped.length === 1 ? 'remark' : 'remarks'}`}
      </Text>
      <ul aria-label="Mocks to import" tabIndex={0}>
        {mocks.slice(0, 200).map(({ name, folder, enabled, method, url, status }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- they never change
          <li key={index} data-off={!enabled}>
            <Method name={method} /> <code title={name}>{url}</code>{' '}
            <span>{enabled ? status : `${status}, disabled`}</span>
            {folder !== undefined && <span className={styles.quiet}> in {folder}</span>}
          </li>
        ))}
        {count > 200 && <li>… and {count - 200} more</li>}
        {skipped.map((text, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- they never change
          <li key={`remark ${index}`}>
            <em>Remark:</em> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
