import type { DebugProtocol } from '@vscode/debugprotocol';
import { Store } from '../../../../support/store.ts';

/** Children of one page: longer lists are shown as ranges. */
export const PAGE = 100;
/** Members of an object whose number is unknown, in one page. */
const MEMBERS = 1_000;

type ChildPart = 'indexed' | 'named' | 'all';

/** A variable, a scope, or a range of the elements of an array. */
export interface VariableNode {
  /** Its path from the root, which stays the same at the next stop. */
  id: string;
  level: number;
  name: string;
  /** Empty for a scope and a range. */
  value: string;
  type: string;
  kind: 'scope' | 'variable' | 'range';
  /** The reference of its children; 0 if it has none. */
  ref: number;
  indexed: number;
  named: number;
  /** Its children are these of `ref`, as of a range. */
  range: { part: ChildPart; start: number; count: number } | null;
  /** A getter that was not called yet. */
  isLazy: boolean;
  /** The reference of the object that it is a member of; null if it can't be changed. */
  parent: number | null;
  /** An expression that gives it. */
  evaluateName: string | null;
}

export interface VariableRow extends VariableNode {
  /** undefined for a leaf. */
  expanded: boolean | undefined;
  /** Why its children could not be read. */
  problem: string | null;
}

type Children = Map<string, readonly VariableNode[] | { problem: string }>;

type Fetch = (args: DebugProtocol.VariablesArguments) => Promise<DebugProtocol.Variable[]>;
/** The children that came with the stop; null if they must be read. */
type KnownVariables = (args: DebugProtocol.VariablesArguments) => DebugProtocol.Variable[] | null;

/** The root of a scope or of a value. */
export interface Root extends Pick<VariableNode, 'name' | 'value' | 'type' | 'kind' | 'ref' | 'indexed' | 'named'> {
  /** Unfolds at first. */
  isOpen: boolean;
  evaluateName: string | null;
}

/**
 * Variables that unfold: children are read when they are first shown, in pages of 100. What was unfolded stays so at the
 * next stop.
 */
export class VariableTree {
  readonly store = new Store<readonly VariableRow[]>([]);
  readonly #fetch: Fetch;
  readonly #known: KnownVariables;
  /** By id; absent until someone folds or unfolds it. */
  readonly #open = new Map<string, boolean>();
  #roots: readonly VariableNode[] = [];
  #children: Children = new Map();
  /** Getters that were called, by id. */
  #called = new Map<string, VariableNode>();
  #turn = 0;

  constructor(fetch: Fetch, known: KnownVariables = () => null) {
    this.#fetch = fetch;
    this.#known = known;
  }

  /** Shows other roots, and reads the unfolded parts of them. The former rows stay until then; if all is known, at once. */
  async show(roots: readonly Root[]): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const nodes = roots.map((root, index) => {
      const id = `${roots.findIndex(({ name }) => name === root.name) === index ? '' : `${index}.`}${root.name}`;
      if (root.isOpen && !this.#open.has(id)) this.#open.set(id, true);
      return nodeOf({ ...root, id, level: 1, range: null, isLazy: false, parent: null });
    });
    const children: Children = new Map();
    const unknown = this.#takeKnown(nodes, children);
    if (unknown.length > 0) await Promise.all(unknown.map((node) => this.#read(node, children)));
    if (turn !== this.#turn) return;
    this.#roots = nodes;
    this.#children = children;
    this.#called = new Map();
    this.#show();
  }

  async toggle(id: string, open: boolean): Promise<void> {
    this.#open.set(id, open);
    const node = this.#find(id);
    const { turn, children } = { turn: this.#turn, children: this.#children };
    if (open && node && !Array.isArray(children.get(id))) await this.#read(node, children);
    if (turn === this.#turn) this.#show();
  }

  /** Calls a getter and shows its value. */
  async call(id: string): Promise<void> {
    const node = this.#find(id);
    if (!node?.isLazy) return;
    const turn = this.#turn;
    try {
      const [value] = await this.#fetch({ variablesReference: node.ref });
      if (turn !== this.#turn || !value) return;
      const called = childOf(node, value, node.level, node.parent ?? 0);
      this.#called.set(id, { ...called, id, name: node.name, isLazy: false, parent: null });
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#children.set(id, { problem: textOf(error) });
    }
    this.#show();
  }

  node(id: string): VariableNode | undefined {
    return this.#find(id);
  }

  /** Adds the unfolded children that are known; returns the nodes whose children are not. */
  #takeKnown(nodes: readonly VariableNode[], into: Children): VariableNode[] {
    return nodes
      .filter((node) => this.#isUnfolded(node))
      .flatMap((node) => {
        const { ref, indexed, named } = node;
        const isOnePage = indexed === 0 && named > 0 && named <= PAGE;
        const known = isOnePage ? this.#known({ variablesReference: ref, filter: 'named' }) : null;
        if (known === null) return [node];
        const children = known.map((variable) => childOf(node, variable, node.level + 1, ref));
        into.set(node.id, children);
        return this.#takeKnown(children, into);
      });
  }

  #isUnfolded(node: VariableNode): boolean {
    return isContainer(node) && !node.isLazy && this.#open.get(node.id) === true;
  }

  async #read(node: VariableNode, into: Children): Promise<void> {
    if (!this.#isUnfolded(node)) return;
    try {
      const children = await this.#childrenOf(node);
      into.set(node.id, children);
      await Promise.all(children.map((child) => this.#read(child, into)));
    } catch (error) {
      into.set(node.id, { problem: textOf(error) });
    }
  }

  async #childrenOf(node: VariableNode): Promise<VariableNode[]> {
    const { ref, range } = node;
    if (range) {
      const ranges = rangesOf(range.start, range.count);
      if (range.part === 'all') return this.#members(node, range.start);
      if (ranges.length > 0) return ranges.map((one) => rangeNode(node, range.part, one));
      return this.#variables(node, { variablesReference: ref, filter: range.part, ...pageOf(range) });
    }
    const parts = (['indexed', 'named'] as const).map((part) => ({ part, ranges: rangesOf(0, node[part]) }));
    if (parts.every(({ ranges }) => ranges.length === 0)) return this.#members(node, 0);
    const lists = await Promise.all(
      parts.map(async ({ part, ranges }) => {
        if (ranges.length > 0) return ranges.map((one) => rangeNode(node, part, one));
        return node[part] === 0 ? [] : this.#variables(node, { variablesReference: ref, filter: part });
      }),
    );
    return lists.flat();
  }

  /** Members in one page, and a range for the rest. */
  async #members(node: VariableNode, start: number): Promise<VariableNode[]> {
    const members = await this.#variables(node, { variablesReference: node.ref, start, count: MEMBERS });
    const next = start + MEMBERS;
    return members.length < MEMBERS ? members : [...members, rangeNode(node, 'all', { start: next, count: 0 })];
  }

  async #variables(node: VariableNode, args: DebugProtocol.VariablesArguments): Promise<VariableNode[]> {
    const variables = await this.#fetch(args);
    return variables.map((variable) => childOf(node, variable, node.level + 1, node.ref));
  }

  #find(id: string): VariableNode | undefined {
    const called = this.#called.get(id);
    if (called) return called;
    const lists = [this.#roots, ...[...this.#children.values()].filter((list) => Array.isArray(list))];
    for (const list of lists) {
      const found = list.find((node) => node.id === id);
      if (found) return found;
    }
    return undefined;
  }

  #show(): void {
    const rows: VariableRow[] = [];
    const add = (nodes: readonly VariableNode[]) => {
      for (const one of nodes) {
        const node = this.#called.get(one.id) ?? one;
        const children = this.#children.get(node.id);
        const isOpen = this.#open.get(node.id) === true && children !== undefined;
        const problem = children && 'problem' in children ? children.problem : null;
        rows.push({ ...node, expanded: isContainer(node) && !node.isLazy ? isOpen : undefined, problem });
        if (isOpen && children && !('problem' in children)) add(children);
      }
    };
    add(this.#roots);
    this.store.set(rows);
  }
}

const isContainer = ({ ref }: VariableNode): boolean => ref > 0;

const pageOf = ({ start, count }: { start: number; count: number }) => ({ start, count });

function nodeOf({ isOpen: _isOpen, ...node }: VariableNode & { isOpen?: boolean }): VariableNode {
  return node;
}

function childOf(
  parent: VariableNode,
  variable: DebugProtocol.Variable,
  level: number,
  container: number,
): VariableNode {
  const { name, value, type = '', variablesReference, indexedVariables, namedVariables, presentationHint } = variable;
  const isFixed = presentationHint?.attributes?.includes('readOnly') === true;
  return {
    id: `${parent.id}\u001f${name}`,
    level,
    name,
    value,
    type,
    kind: 'variable',
    ref: variablesReference,
    indexed: indexedVariables ?? 0,
    named: namedVariables ?? 0,
    range: null,
    isLazy: presentationHint?.lazy === true,
    parent: isFixed ? null : container,
    evaluateName: variable.evaluateName ?? null,
  };
}

function rangeNode(parent: VariableNode, part: ChildPart, range: { start: number; count: number }): VariableNode {
  const name = part === 'all' ? `[${range.start} …]` : `[${range.start} … ${range.start + range.count - 1}]`;
  return {
    id: `${parent.id}\u001f${part}${name}`,
    level: parent.level + 1,
    name,
    value: '',
    type: '',
    kind: 'range',
    ref: parent.ref,
    indexed: 0,
    named: 0,
    range: { part, ...range },
    isLazy: false,
    parent: null,
    evaluateName: null,
  };
}

/** Splits more than a page into up to 100 ranges; empty if one page has room for all. */
export function rangesOf(start: number, count: number): { start: number; count: number }[] {
  if (count <= PAGE) return [];
  let size = PAGE;
  while (count > size * PAGE) size *= PAGE;
  return Array.from({ length: Math.ceil(count / size) }, (_, index) => ({
    start: start + index * size,
    count: Math.min(size, count - index * size),
  }));
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
