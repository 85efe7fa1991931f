import { expect, test, vi } from 'vitest';
import { Store } from '../../../../src-renderer/support/store.ts';

test('a held change is read at once, and its listeners are notified later', () => {
  const store = new Store('a');
  const heard: string[] = [];
  store.subscribe(() => heard.push(store.get()));
  let notify = (): void => undefined;
  store.hold(
    () => {
      store.set('b');
      store.set('c');
    },
    (later) => (notify = later),
  );
  expect(store.get()).toBe('c');
  expect(heard).toEqual([]);
  notify();
  expect(heard).toEqual(['c']);
});

test('a change after a held one notifies of both', () => {
  const store = new Store(1);
  const listener = vi.fn<() => void>();
  store.subscribe(listener);
  store.hold(
    () => store.set(2),
    () => undefined,
  );
  store.set(3);
  expect(listener).toHaveBeenCalledTimes(1);
});

test('work that changes nothing, or ends with the same value, notifies nobody', () => {
  const store = new Store(1);
  const later = vi.fn<(notify: () => void) => void>();
  store.hold(() => undefined, later);
  store.hold(() => {
    store.set(2);
    store.set(1);
  }, later);
  expect(later).not.toHaveBeenCalled();
});

test('listeners hear of the changes before a failure', () => {
  const store = new Store(1);
  const later = vi.fn<(notify: () => void) => void>();
  const fail = () => {
    store.set(2);
    throw new Error('no');
  };
  expect(() => store.hold(fail, later)).toThrow('no');
  expect(later).toHaveBeenCalledOnce();
  const listener = vi.fn<() => void>();
  store.subscribe(listener);
  store.set(3);
  expect(listener).toHaveBeenCalledOnce();
});
