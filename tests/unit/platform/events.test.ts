import { once } from 'node:events';
import { expect, test } from 'vitest';
import { Listeners } from '../../../src-main/platform/events.ts';

test('listeners are called in order until they are removed', () => {
  const listeners = new Listeners<number>();
  const heard: string[] = [];
  const hear = (n: number) => void heard.push(`a${n}`);
  const removeFirst = listeners.add(hear);
  listeners.add((n) => void heard.push(`b${n}`));
  listeners.add(hear);
  listeners.emit(1);
  removeFirst();
  removeFirst();
  listeners.emit(2);
  expect(heard).toEqual(['a1', 'b1', 'a1', 'b2', 'a2']);
  expect(listeners.size).toBe(2);
  listeners.clear();
  listeners.emit(3);
  expect(heard).toHaveLength(5);
});

test('one that throws causes a process warning, and the others are still called', async () => {
  const listeners = new Listeners<string>();
  const heard: string[] = [];
  listeners.add(() => {
    throw new Error('broken');
  });
  listeners.add((event) => void heard.push(event));
  const warned = once(process, 'warning');
  listeners.emit('x');
  expect(heard).toEqual(['x']);
  expect(await warned).toMatchObject([{ name: 'ListenerWarning', message: 'a listener failed: broken' }]);
});

test('a listener that adds another during its call causes no endless loop', () => {
  const listeners = new Listeners<void>();
  let calls = 0;
  const again = (): void => {
    calls += 1;
    listeners.add(again);
  };
  listeners.add(again);
  listeners.emit();
  expect(calls).toBe(1);
});
