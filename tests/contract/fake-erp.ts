import type { ErpRecord } from '#domain/tag/erp';
import type { Services } from '../../src-main/rpc/services.ts';

/** An outbox in memory: `list` and `clear` know tags, an export is the number of its records. */
export function fakeErp(): Services['erp'] {
  const tag = 'Plant.Orders.Record';
  let records: ErpRecord[] = [2, 1].map((id) => ({
    id,
    tag: id === 1 ? 'Plant.Other.Record' : tag,
    record: { order: id, lines: [null, 'ü'] },
    diagram: '',
    location: id === 1 ? 'Hall 1' : '',
    sentAt: `2026-01-0${id}T03:04:05.678Z`,
  }));
  const listeners = new Set<(change: { newest: number }) => void>();
  return {
    list: ({ tag: wanted, limit = 500, after = Infinity }) => {
      const found = records.filter((one) => (wanted === undefined || one.tag === wanted) && one.id < after);
      const page = found.slice(0, limit);
      return { records: page, next: found.length > limit ? (page.at(-1)?.id ?? null) : null, total: records.length };
    },
    export: ({ format }) => ({ text: `${format} of ${records.length}`, count: records.length }),
    clear: ({ tag: wanted }) => {
      const before = records.length;
      records = records.filter((one) => wanted !== undefined && one.tag !== wanted);
      for (const listener of listeners) listener({ newest: records[0]?.id ?? 0 });
      return { count: before - records.length };
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
