import { parse } from 'csv-parse/sync';
import { describe, expect, test, onTestFinished } from 'vitest';
import type { JsonObject } from '#domain/text/json';
import { ErpService } from '../../../../src-main/plant/erp/erp-service.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { readOne, tagOf, tagWorkspace } from '../tags/tag-workspace.ts';

const ORDERS = 'Erp.Orders.Record';
const STOPS = 'Erp.Stops.Record';

async function outbox(options: Parameters<typeof tagWorkspace>[0] = {}) {
  const made = tagWorkspace(options);
  const erp = new ErpService({ outbox: made.outbox, tags: made.tags });
  onTestFinished(() => erp.close());
  for (const path of [ORDERS, STOPS]) await made.tags.definitions.save(tagOf(path, 'erp', 'Json'));
  const send = (path: string, records: readonly JsonObject[]) =>
    made.tags.set({ items: records.map((value) => ({ tag: path, value })), location: 'Hall 1' });
  return { ...made, erp, send };
}
const numbered = (count: number, from = 1): JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ n: from + index }));
const ids = ({ records }: { records: { id: number }[] }) => records.map(({ id }) => id);

describe('list', () => {
  test('returns pages, newest first, each record once', async () => {
    const { erp, send } = await outbox();
    await send(ORDERS, numbered(1_000));
    const seen: number[] = [];
    let after: number | undefined;
    for (let page = 1; page <= 4; page++) {
      const { records, next, total } = await erp.list({ limit: 300, after });
      expect(total).toBe(page === 1 ? 1_000 : 1_005);
      seen.push(...records.map(({ id }) => id));
      // New records do not appear on later pages.
      if (page === 1) await send(STOPS, numbered(5));
      after = next ?? undefined;
    }
    expect(after).toBe(undefined);
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_, index) => 1_000 - index));
    expect((await erp.list({ limit: 1 })).records).toEqual([
      {
        id: 1_005,
        tag: STOPS,
        record: { n: 5 },
        diagram: '',
        location: 'Hall 1',
        sentAt: expect.stringMatching(/^2026-.*Z$/),
      },
    ]);
  });

  test('is filtered by tag, text and time, however far back', async () => {
    const { erp, send, clock } = await outbox();
    await send(STOPS, [{ text: 'Größe 100 %' }, { text: '100_' }]);
    const noon = clock.iso();
    clock.advance(60_000);
    await send(ORDERS, numbered(1_000));
    expect(ids(await erp.list({ tag: STOPS }))).toEqual([2, 1]);
    expect(ids(await erp.list({ text: 'größe' }))).toEqual([1]);
    expect(ids(await erp.list({ text: '100 %' }))).toEqual([1]);
    expect(ids(await erp.list({ text: '100_' }))).toEqual([2]);
    expect(ids(await erp.list({ text: 'STOPS' }))).toEqual([2, 1]);
    expect(ids(await erp.list({ text: '"n":1000', tag: STOPS }))).toEqual([]);
    expect(ids(await erp.list({ to: clock.iso() }))).toEqual([2, 1]);
    expect((await erp.list({ from: clock.iso(), limit: 1 })).records[0]).toMatchObject({ id: 1_002, tag: ORDERS });
    expect(ids(await erp.list({ from: noon, to: noon }))).toEqual([]);
    expect(ids(await erp.list({ tag: 'erp.orders.record' }))).toEqual([]);
  });

  test('keeps pages of large records small', async () => {
    const { erp, send } = await outbox();
    const text = 'x'.repeat(1_000_000);
    await send(
      ORDERS,
      Array.from({ length: 6 }, (_, n) => ({ n, text })),
    );
    await send(ORDERS, [{ text: text.repeat(6) }]);
    const pages: number[][] = [];
    for (let after: number | undefined | null; after !== null;) {
      const page = await erp.list({ after });
      pages.push(ids(page));
      after = page.next;
    }
    expect(pages).toEqual([[7], [6, 5, 4, 3], [2, 1]]);
  });

  test.each(['yesterday', '2026-08-01T06:00:00', '2026-02-30'])('rejects the time %j', async (from) => {
    const { erp } = await outbox();
    const error = await thrownBy(() => erp.list({ from }));
    expect(error).toMatchObject({ code: 'BAD_REQUEST', data: { issues: [{ path: ['from'] }] } });
    expect((await thrownBy(() => erp.clear({ before: from }))).data['issues']).toMatchObject([{ path: ['before'] }]);
  });
});

describe('export', () => {
  test('exports JSON and CSV with the same content', async () => {
    const { erp, send } = await outbox();
    await send(ORDERS, [{ text: 'a,"b"\nc', n: null }, { n: 2 }]);
    await send(STOPS, [{ n: 3 }]);
    const { records } = await erp.list({});
    const json = await erp.export({ format: 'json' });
    expect(json.count).toBe(3);
    expect(JSON.parse(json.text)).toEqual(records);
    const csv = await erp.export({ format: 'csv', tag: ORDERS });
    const rows: Record<string, string>[] = parse(csv.text, { columns: true });
    const same = rows.map(({ id, record, sentAt, tag, diagram, location }) => {
      const shown = { tag, diagram, location, sentAt };
      return Object.assign(shown, { id: Number(id), record: JSON.parse(record ?? '') });
    });
    expect(same).toEqual(records.slice(1));
    expect(await erp.export({ format: 'json', text: 'nothing' })).toEqual({ text: '[]\n', count: 0 });
  });

  test('is rejected if it would be too long', async () => {
    const { erp, send } = await outbox();
    await send(
      ORDERS,
      Array.from({ length: 40 }, () => ({ text: 'x'.repeat(1_000_000) })),
    );
    expect((await thrownBy(() => erp.export({ format: 'csv' }))).message).toContain('Export them in parts');
  });
});

describe('clear', () => {
  test('deletes and counts the selected records; tags read the rest', async () => {
    const { erp, send, clock, tags, reopen } = await outbox();
    await send(ORDERS, numbered(2_500));
    clock.advance(60_000);
    const later = clock.iso();
    await send(ORDERS, numbered(2, 9_000));
    await send(STOPS, numbered(3));
    expect(await erp.clear({ tag: ORDERS, before: later })).toEqual({ count: 2_500 });
    expect(readOne(tags, ORDERS).value).toEqual({ n: 9_001 });
    expect(await erp.clear({ tag: STOPS })).toEqual({ count: 3 });
    for (const service of [tags, reopen()]) {
      expect(readOne(service, STOPS)).toMatchObject({ value: null, quality: 'UncertainInitialValue' });
    }
    expect(await erp.clear({})).toEqual({ count: 2 });
    expect(await erp.clear({})).toEqual({ count: 0 });
    await send(ORDERS, numbered(1));
    expect(ids(await erp.list({}))).toEqual([2_506]);
  });

  test('keeps records that are sent in the meantime', async () => {
    const { erp, send, tags } = await outbox();
    await send(ORDERS, numbered(10_000));
    const sending = (async () => {
      for (let n = 0; n < 50; n++) await send(ORDERS, [{ late: n }]);
    })();
    const [{ count }] = await Promise.all([erp.clear({ tag: ORDERS }), sending]);
    const { total, records } = await erp.list({ limit: 10_000 });
    expect(count + total).toBe(10_050);
    expect(records.every(({ record }) => 'late' in record)).toBe(true);
    expect(readOne(tags, ORDERS).value).toEqual({ late: 49 });
  });
});

test('notifies of sent and cleared records, but not of other tags', async () => {
  const { erp, send, tags } = await outbox();
  const notified: number[] = [];
  erp.onChange(({ newest }) => notified.push(newest));
  await send(ORDERS, numbered(3));
  await tags.definitions.save(tagOf('A.B.C', 'storage', 'Int'));
  await tags.set({ items: [{ tag: 'A.B.C', value: 1 }] });
  await send(STOPS, numbered(1));
  await erp.clear({ tag: STOPS });
  await erp.clear({});
  await erp.clear({});
  expect(notified).toEqual([3, 4, 3, 0]);
});

describe('the limit', () => {
  test('rejects writes when it is reached, until records are cleared or it is raised', async () => {
    let most = 10;
    const { erp, send } = await outbox({ erpRecords: () => most });
    const refused = async () => {
      const { code, message } = await thrownBy(() => send(ORDERS, [{ n: 0 }]));
      expect(code).toBe('WRITE_REFUSED');
      expect(message).toContain(`the ERP outbox has ${most} records, its maximum (setting limits.erpRecords)`);
      expect(message).toContain('export and clear old ones, or raise the limit');
    };
    await send(ORDERS, numbered(9));
    await send(STOPS, numbered(1));
    await refused();
    await refused();
    expect(await erp.clear({ tag: STOPS })).toEqual({ count: 1 });
    await send(ORDERS, numbered(1));
    await refused();
    most = 12;
    // A Set that begins below the limit is stored completely.
    await send(ORDERS, numbered(5));
    await refused();
    expect(await erp.clear({})).toEqual({ count: 15 });
    await send(ORDERS, numbered(12));
    await refused();
  });

  test('counts records, not their numbers, and survives a transaction that was undone', async () => {
    const { erp, send, database, outbox: repository } = await outbox({ erpRecords: () => 10 });
    await send(STOPS, numbered(8));
    await send(ORDERS, numbered(1));
    await erp.clear({ tag: STOPS });
    await send(STOPS, numbered(5));
    expect([repository.count(), repository.newest()]).toEqual([6, 14]);
    expect([6, 7].map((most) => repository.hasAtLeast(most))).toEqual([true, false]);
    database.exec('BEGIN');
    for (let n = 0; n < 4; n += 1) {
      repository.append({ tagId: 1, tagPath: ORDERS, record: '{}', diagram: '', location: '', sentAt: '' });
    }
    expect(repository.hasAtLeast(10)).toBe(true);
    database.exec('ROLLBACK');
    expect(repository.hasAtLeast(10)).toBe(false);
    expect(repository.hasAtLeast(6)).toBe(true);
  });
});
