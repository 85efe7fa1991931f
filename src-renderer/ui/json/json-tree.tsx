import { useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { Json } from '#domain/text/json';
import { Menu, MenuDivider, MenuItem, MenuList, MenuPopover } from '../fluent.ts';
import { allWithin, canOpen, isContainer, openAtFirst, peek, plainText, seenNodes, sizeOf } from './json-nodes.ts';
import type { JsonNode } from './json-nodes.ts';
import { Tree } from '../lists/tree.tsx';
import type { TreeRow } from '../lists/tree.tsx';
import styles from './json-tree.module.css';

/**
 * The nodes that the user folded (false) or unfolded (true), by path: stored by the owner, who shows one value after
 * another.
 */
export type Folds = ReadonlyMap<string, boolean>;

export interface Folding {
  folds: Folds;
  onFold: (folds: Folds) => void;
}

interface Props extends Folding {
  value: Json;
  label: string;
  /** Copies a part; `what` is its name for people. */
  onCopy: (what: string, text: string) => void;
}

const LONGEST = 500;

/** JSON as a tree that folds. Ctrl+C copies the value of a row, Shift+Alt+C its path. */
export function JsonTree({ value, label, folds, onFold, onCopy }: Props) {
  const first = useMemo(() => openAtFirst(value), [value]);
  const frame = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<{ id: string; x: number; y: number } | null>(null);
  const isOpen = (path: string) => folds.get(path) ?? first.has(path);
  const nodes = useMemo(() => seenNodes(value, (path) => folds.get(path) ?? first.has(path)), [value, first, folds]);
  const rows = useMemo(() => nodes.map((node, index) => rowOf(node, index, folds, first)), [nodes, folds, first]);
  const nodeOf = (id: string) => nodes[Number(id)];
  const fold = (paths: readonly string[], open: boolean) => {
    onFold(new Map([...folds, ...paths.map((path) => [path, open] as const)]));
  };
  const copyValue = ({ value: part, range }: JsonNode) => {
    const copied = range && isContainer(part) ? slice(part, range) : part;
    onCopy('The value', typeof copied === 'string' ? copied : JSON.stringify(copied, null, 2));
  };
  const copyPath = ({ path }: JsonNode) => onCopy(`The path ${path}`, path);
  const onKey = (id: string, event: KeyboardEvent) => {
    const node = nodeOf(id);
    if (!node || event.key.toLowerCase() !== 'c') return false;
    if ((event.ctrlKey || event.metaKey) && !event.altKey) copyValue(node);
    else if (event.altKey && event.shiftKey && node.path !== '') copyPath(node);
    else return false;
    return true;
  };
  const chosen = menu && nodeOf(menu.id);
  const closeMenu = () => {
    setMenu(null);
    frame.current?.querySelector<HTMLElement>('[role="tree"]')?.focus();
  };

  return (
    <div ref={frame} className={styles.frame} role="region" aria-label={label}>
      <Tree
        label={label}
        rows={rows}
        onToggle={(id, open) => {
          const node = nodeOf(id);
          if (node) fold([node.path], open);
        }}
        onMenu={(id, at) => setMenu({ id, ...at })}
        onKey={onKey}
      />
      {menu && chosen && (
        <Menu
          open
          onOpenChange={(_event, { open }) => !open && closeMenu()}
          positioning={{
            target: { getBoundingClientRect: () => new DOMRect(menu.x, menu.y, 0, 0) },
            position: 'below',
            align: 'start',
          }}
        >
          <MenuPopover>
            <MenuList>
              <MenuItem secondaryContent="Ctrl+C" onClick={() => copyValue(chosen)}>
                Copy the value
              </MenuItem>
              <MenuItem secondaryContent="⇧Alt+C" disabled={chosen.path === ''} onClick={() => copyPath(chosen)}>
                Copy the path
              </MenuItem>
              {canOpen(chosen) && <MenuDivider />}
              {canOpen(chosen) && <MenuItem onClick={() => fold(allWithin(chosen), true)}>Unfold all</MenuItem>}
              {canOpen(chosen) && (
                <MenuItem onClick={() => fold(allWithin(chosen).filter(isOpen), false)}>Fold all</MenuItem>
              )}
            </MenuList>
          </MenuPopover>
        </Menu>
      )}
    </div>
  );
}

function slice(value: Json[] | Record<string, Json>, { from, to }: { from: number; to: number }): Json {
  return Array.isArray(value) ? value.slice(from, to) : Object.fromEntries(Object.entries(value).slice(from, to));
}

function rowOf(node: JsonNode, index: number, folds: Folds, first: ReadonlySet<string>): TreeRow {
  const { path, name, level } = node;
  const expanded = canOpen(node) ? (folds.get(path) ?? first.has(path)) : undefined;
  const label = labelOf(node, expanded === true);
  return {
    id: String(index),
    level,
    label: name === null ? label : `${name}: ${label}`,
    expanded,
    content: <NodeLine node={node} label={label} />,
  };
}

/** A value, or a summary of its contents; the same for sighted users and screen readers. */
function labelOf({ value, range }: JsonNode, isOpen: boolean): string {
  if (range) return `${range.from} … ${range.to - 1}`;
  if (!isContainer(value)) return plainText(value, LONGEST);
  const sort = `${Array.isArray(value) ? 'Array' : 'Object'} of ${sizeOf(value)}`;
  return isOpen || sizeOf(value) === 0 ? sort : `${sort}: ${peek(value)}`;
}

/** One row of the tree. */
function NodeLine({ node: { name, value, range }, label }: { node: JsonNode; label: string }) {
  return (
    <span className={styles.line}>
      {name !== null && <span data-sort={typeof name === 'number' ? 'inside' : 'name'}>{nameText(name)}</span>}
      {name !== null && ': '}
      <span data-sort={range || isContainer(value) ? 'inside' : sortOf(value)}>{label}</span>
    </span>
  );
}

function nameText(name: string | number): string {
  return typeof name === 'number' ? String(name) : JSON.stringify(name);
}

function sortOf(value: Json): 'string' | 'number' | 'word' {
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'word';
}
