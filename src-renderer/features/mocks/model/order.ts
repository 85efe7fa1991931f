import type { Mock } from '#domain/mock/mock';

export interface NewPriority {
  id: number;
  priority: number;
}

/**
 * The priorities that move a mock before (`by` -1) or after (1) its neighbour; other priorities change only if
 * necessary. `mocks` are in matching order; empty if there is no neighbour.
 */
export function moved(mocks: readonly Mock[], id: number, by: -1 | 1): NewPriority[] {
  const from = mocks.findIndex((mock) => mock.id === id);
  const mock = mocks[from];
  const neighbour = mocks[from + by];
  if (!mock || !neighbour) return [];
  const wanted = mocks.map(({ id: other, priority }) => ({ id: other, priority }));
  wanted.splice(from, 1);
  wanted.splice(from + by, 0, { id, priority: neighbour.priority });
  // From the last one: each at least as high as the order requires; with equal priority, the oldest is matched first.
  for (let place = wanted.length - 2; place >= 0; place -= 1) {
    const [one, next] = [wanted[place], wanted[place + 1]];
    if (one && next) one.priority = Math.max(one.priority, next.priority + (one.id < next.id ? 0 : 1));
  }
  const before = new Map(mocks.map((one) => [one.id, one.priority]));
  return wanted.filter((one) => before.get(one.id) !== one.priority);
}
