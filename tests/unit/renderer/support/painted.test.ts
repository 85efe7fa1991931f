import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AfterPaint } from '../../../../src-renderer/support/painted.ts';

type Input = { key?: string; ctrlKey?: boolean };
let paint = (): void => undefined;
let listeners = new Map<string, (event: Input) => void>();
const page = {
  addEventListener: (name: string, listener: (event: Input) => void) => listeners.set(name, listener),
  removeEventListener: (name: string) => listeners.delete(name),
};

beforeEach(() => {
  vi.useFakeTimers();
  listeners = new Map();
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => (paint = callback));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('work is done once after the next frame', async () => {
  const afterPaint = new AfterPaint();
  const work = vi.fn<() => void>();
  afterPaint.add(work);
  afterPaint.add(work);
  expect(work).not.toHaveBeenCalled();
  paint();
  await vi.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledOnce();
});

test('work is done soon in a window that paints nothing', async () => {
  const afterPaint = new AfterPaint();
  const work = vi.fn<() => void>();
  afterPaint.add(work);
  await vi.advanceTimersByTimeAsync(200);
  expect(work).toHaveBeenCalledOnce();
});

test.each([
  { input: 'a shortcut', name: 'keydown', event: { key: 's', ctrlKey: true } },
  { input: 'a function key', name: 'keydown', event: { key: 'F5' } },
  { input: 'a click', name: 'pointerdown', event: {} },
])('waiting work is done before $input', ({ name, event }) => {
  const afterPaint = new AfterPaint();
  const stop = afterPaint.beforeInput(page);
  const work = vi.fn<() => void>();
  afterPaint.add(work);
  listeners.get('keydown')?.({ key: 'a' });
  expect(work).not.toHaveBeenCalled();
  listeners.get(name)?.(event);
  expect(work).toHaveBeenCalledOnce();
  stop();
  expect(listeners.size).toBe(0);
});
