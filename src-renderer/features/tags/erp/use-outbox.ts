import { useCallback, useEffect, useRef, useState } from 'react';
import type { ErpRecord } from '#domain/tag/erp';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { stayCurrent } from '../../../client/stay-current.ts';

const PAGE = 500;
const SETTLE_MS = 150;

interface OutboxPage {
  records: readonly ErpRecord[];
  /** The start of the next page; null after the last. */
  next: number | null;
  total: number;
  loaded: boolean;
  problem: string | null;
}

const NOTHING: OutboxPage = { records: [], next: null, total: 0, loaded: false, problem: null };

/** The records that match the filter, newest first, in pages; reloaded when records are sent or cleared. */
export function useOutbox(client: Pick<Client, 'erp'>, filter: { tag?: string; text?: string }, active: boolean) {
  const [page, setPage] = useState(NOTHING);
  const loading = useRef(false);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const read = async (signal: AbortSignal) => {
      const { records, next, total } = await client.erp.list({ ...filter, limit: PAGE }, { signal });
      setPage({ records, next, total, loaded: true, problem: null });
    };
    const begin = () =>
      stayCurrent(
        {
          changes: [(signal) => client.erp.changes(undefined, { signal })],
          read,
          failed: ({ message }) => setPage({ ...NOTHING, loaded: true, problem: message }),
        },
        end.signal,
      );
    // Typing a filter reads when it pauses.
    const timer = setTimeout(() => void begin(), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, filter, active]);

  const { next } = page;
  const loadMore = useCallback(() => {
    if (next === null || loading.current) return;
    loading.current = true;
    const append = async () => {
      try {
        const more = await client.erp.list({ ...filter, limit: PAGE, after: next });
        setPage((last) =>
          last.next === next
            ? { ...last, records: [...last.records, ...more.records], next: more.next, total: more.total }
            : last,
        );
      } catch (error) {
        setPage((last) => ({ ...last, problem: problemOf(error).message }));
      } finally {
        loading.current = false;
      }
    };
    void append();
  }, [client, filter, next]);

  return { ...page, more: next !== null, loadMore };
}
