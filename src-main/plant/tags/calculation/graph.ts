/** Nodes in their order of evaluation. */
export interface Order<T> {
  /** Level by level: the dependencies of a node are on earlier levels, in a cycle, or not among the nodes. */
  levels: T[][];
  /** The nodes that depend on themselves, directly or not, each with a cycle: its nodes in order, once. */
  circles: Map<T, readonly T[]>;
  /** How a node was first reached: the node that depends on it; null for the roots. */
  reachedFrom: Map<T, T | null>;
}

interface Frame<T> {
  node: T;
  needs: readonly T[];
  next: number;
}

/**
 * All direct and indirect dependencies of the roots, in the order of evaluation. Cycles are the strongly connected
 * components (Tarjan's algorithm, without recursion: a chain of 100,000 nodes is no problem).
 */
export function orderOf<T>(roots: Iterable<T>, needsOf: (node: T) => readonly T[]): Order<T> {
  const order: Order<T> = { levels: [], circles: new Map(), reachedFrom: new Map() };
  const index = new Map<T, number>();
  const low = new Map<T, number>();
  const level = new Map<T, number>();
  const open: T[] = [];
  const isOpen = new Set<T>();

  const enter = (node: T, from: T | null): Frame<T> => {
    order.reachedFrom.set(node, from);
    index.set(node, index.size);
    low.set(node, index.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, needs: needsOf(node), next: 0 };
  };
  const sink = (node: T, to: number): void => void low.set(node, Math.min(low.get(node) ?? to, to));

  /** All dependencies of the node are done: closes the component if this is its first node. */
  const leave = ({ node, needs }: Frame<T>): void => {
    if (low.get(node) !== index.get(node)) return;
    const component = open.splice(open.lastIndexOf(node));
    for (const member of component) isOpen.delete(member);
    if (component.length > 1 || needs.includes(node)) {
      const circle = circleOf(component, needsOf);
      for (const member of component) order.circles.set(member, circle);
      return;
    }
    let own = 0;
    for (const need of needs) own = Math.max(own, (level.get(need) ?? -1) + 1);
    level.set(node, own);
    (order.levels[own] ??= []).push(node);
  };

  for (const root of roots) {
    if (index.has(root)) continue;
    const frames = [enter(root, null)];
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
      const { node, needs } = frame;
      const need = needs[frame.next++];
      if (need === undefined) {
        frames.pop();
        leave(frame);
        const above = frames.at(-1);
        if (above) sink(above.node, low.get(node) ?? 0);
      } else if (!index.has(need)) {
        frames.push(enter(need, node));
      } else if (isOpen.has(need)) {
        sink(node, index.get(need) ?? 0);
      }
    }
  }
  return order;
}

/** A shortest cycle within a component, from its first node. */
function circleOf<T>(component: readonly T[], needsOf: (node: T) => readonly T[]): T[] {
  const [first] = component;
  if (first === undefined) return [];
  const members = new Set(component);
  const from = new Map<T, T | null>([[first, null]]);
  for (const node of from.keys()) {
    for (const need of needsOf(node)) {
      if (need === first) {
        const circle: T[] = [];
        for (let at: T | null | undefined = node; at !== null && at !== undefined; at = from.get(at))
          circle.unshift(at);
        return circle;
      }
      if (members.has(need) && !from.has(need)) from.set(need, node);
    }
  }
  return [first];
}
