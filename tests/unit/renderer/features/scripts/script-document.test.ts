import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Draft } from '#domain/run/script';
import {
  PAUSE_MS,
  ScriptDocument,
  newDoc,
} from '../../../../../src-renderer/features/scripts/model/script-document.ts';

const SAVED = {
  id: 7,
  version: 1,
  group: 'G',
  name: 'N',
  description: '',
  body: 'saved',
  savedAt: '2026-01-01T00:00:00Z',
  savedBy: null,
};

function opened() {
  const events: string[] = [];
  const drafts = new Map<string, Draft>();
  const document = new ScriptDocument(newDoc('new-1', 'G'), {
    window: 'w',
    drafts: { keep: ({ key, body }) => events.push(`store ${key} ${body}`) },
    now: () => new Date('2026-01-01T00:00:00Z'),
    changed: () => {},
    draftChanged: (key, draft) => (draft ? drafts.set(key, draft) : drafts.delete(key)),
    check: ({ text }) => events.push(`check ${text.body}`),
  });
  return { document, drafts, events };
}

describe('ScriptDocument', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('after one pause, the draft, the live run and the check get the same text', async () => {
    const { document, drafts, events } = opened();
    document.edit({ body: 'a' });
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
    document.edit({ body: 'ab' });
    document.afterPause(() => events.push(`live ${document.doc.text.body}`));
    expect(drafts.get('new-1')?.body).toBe('ab');
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
    expect(events).toEqual([]);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual(['store new-1@w ab', 'live ab', 'check ab']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a check for another reason does not delay a draft', async () => {
    const { document, events } = opened();
    document.edit({ body: 'a' });
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
    document.checkSoon();
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual(['store new-1@w a', 'check a']);
  });

  test('a cancelled live run does not start, the draft is still stored', async () => {
    const { document, events } = opened();
    document.edit({ body: 'a' });
    document.afterPause(() => events.push('live'))();
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(events).toEqual(['store new-1@w a', 'check a']);
  });

  test('closing passes on the draft at once, and nothing runs afterwards', async () => {
    const { document, events } = opened();
    document.edit({ body: 'a' });
    document.afterPause(() => events.push('live'));
    document.dispose();
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(events).toEqual(['store new-1@w a']);
  });

  test('a text that became a version has no draft and another key', async () => {
    const { document, drafts, events } = opened();
    document.edit({ name: 'N', body: 'saved' });
    document.saved(SAVED);
    expect(drafts.size).toBe(0);
    expect(document.doc).toMatchObject({ key: 'script-7', editor: 'new-1', scriptId: 7, baseVersion: 1 });
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(events).toEqual(['check saved']);
  });
});
