import type { Mock } from '#domain/mock/mock';

export interface NewPriority {
  id: number;
  priority: number;
}

/**
 * The priorities with which a mock is asked before (`by` -1) or after (1) its neighbour; those of others change only
 * where the order wants it. `mocks` stand in the order in which they are asked; nothing where there is no neighbour.
 */
export function moved(mocks: readonly Mock[], id: number, by: -1 | 1): NewPriority[] {
  const from = mocks.findIndex((mock) => mock.id === id);
  const mock = mocks[from];
  const neighbour = mocks[from + by];
  if (!mock || !neighbour) return [];
  const wanted = mocks.map(({ id: other, priority }) => ({ id: other, priority }));
  wanted.splice(from, 1);
  wanted.splice(from + by, 0, { id, priority: neighbour.priority });
  // From the last on: each at least where the order behind it wants it; of equal ones the oldest is asked first.
  for (let place = wanted.length - 2; place >= 0; place -= 1) {
    const [one, next] = [wanted[place], wanted[place + 1]];
    if (one && next) one.priority = Math.max(one.priority, next.priority + (one.id < next.id ? 0 : 1));
  }
  const before = new Map(mocks.map((one) => [one.id, one.priority]));
  return wanted.filter((one) => before.get(one.id) !== one.priority);
}
