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

/**
 * What an import of the source would add, or why it can't be read; null while it is being read, or without a source,
 * which stays the same object while nothing changes.
 */
export function usePreview(source: ImportSource | null): { preview: MockPreview } | { problem: ImportProblem } | null {
  const { client } = useWorkbench();
  const [read, setRead] = useState<{
    source: ImportSource;
    outcome: { preview: MockPreview } | { problem: ImportProblem };
  } | null>(null);
  useEffect(() => {
    if (source === null) return undefined;
    const end = new AbortController();
    const preview = async () => {
      try {
        setRead({ source, outcome: { preview: await client.mocks.preview(source, { signal: end.signal }) } });
      } catch (error) {
        if (!isAbort(error) && !end.signal.aborted) setRead({ source, outcome: { problem: importProblemOf(error) } });
      }
    };
    const timer = setTimeout(() => void preview(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, source]);
  return source !== null && read?.source === source ? read.outcome : null;
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
        {mocks.slice(0, 200).map(({ name, folder, enabled, method, url, status }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- they never change
          <li key={index} data-off={!enabled}>
            <Method name={method} /> <code title={name}>{url}</code>{' '}
            <span>{enabled ? status : `${status}, disabled`}</span>
            {folder !== undefined && <span className={styles.quiet}> in {folder}</span>}
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
