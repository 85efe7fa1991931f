import { useCallback, useEffect, useRef, useState } from 'react';
import type { ErpRecord } from '#domain/tag/erp';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { follow } from '../../../client/follow.ts';

const PAGE = 500;
const SETTLE_MS = 150;

interface Page {
  records: readonly ErpRecord[];
  /** The start of the next page; null after the last. */
  next: number | null;
  total: number;
  loaded: boolean;
  problem: string | null;
}

const NOTHING: Page = { records: [], next: null, total: 0, loaded: false, problem: null };

/** The records that match the filter, newest first, in pages; reloaded when records are sent or cleared. */
export function useOutbox(client: Pick<Client, 'erp'>, filter: { tag?: string; text?: string }, active: boolean) {
  const [page, setPage] = useState(NOTHING);
  const [changes, setChanges] = useState(0);
  const loading = useRef(false);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const changed = () => setChanges((count) => count + 1);
    void follow((signal) => client.erp.changes(undefined, { signal }), changed, end.signal);
    return () => end.abort();
  }, [client, active]);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const timer = setTimeout(() => {
      client.erp.list({ ...filter, limit: PAGE }, { signal: end.signal }).then(
        ({ records, next, total }) => setPage({ records, next, total, loaded: true, problem: null }),
        (error: unknown) => {
          if (!isAbort(error)) setPage({ ...NOTHING, loaded: true, problem: problemOf(error).message });
        },
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a change of the outbox reloads it
  }, [client, filter, active, changes]);

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
