import type { ReactNode } from 'react';
import { useContext, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Panel, usePanelRef } from 'react-resizable-panels';
import { remember, remembered } from '../../support/local-storage.ts';
import { useStore } from '../../support/store.ts';
import { ChevronRightRegular } from '../../ui/icons.ts';
import { focusOpened } from './panes.ts';
import { ViewContext, useCommands, useWorkbench } from '../workbench.ts';
import styles from './side-pane.module.css';

/** Width of a collapsed pane, in px: the button that shows it again. */
const STRIP = 24;

/** A pane above or below the main part has the key of the left or the right pane: a view has one of them. */
const KEYS = { left: 'Ctrl+B', top: 'Ctrl+B', right: 'Ctrl+Alt+B', bottom: 'Ctrl+Alt+B' } as const;
type Side = keyof typeof KEYS;

/** What a side pane does for the others of its group. */
interface Neighbor {
  isOpen: () => boolean;
  /**
   * Collapses it for another one that needs this much, in px, until there is room; false if it is collapsed. `onBack` is
   * called when it comes back.
   */
  giveWay: (needed: number, onBack: () => void) => boolean;
  /** Ends that; false if it has not given way. */
  comeBack: () => boolean;
  show: () => void;
}

/** The side panes by the element of their panel. */
const NEIGHBORS = new WeakMap<Element, Neighbor>();

function neighborsOf(element: Element | null): Neighbor[] {
  const panels = [...(element?.parentElement?.children ?? [])].filter((one) => one !== element);
  return panels.flatMap((panel) => NEIGHBORS.get(panel) ?? []);
}

interface Props {
  id: string;
  side: Side;
  /** As in "Show the explorer". */
  title: string;
  /** Whether its view is visible. */
  active: boolean;
  /** In px. */
  least: number;
  /** Initial size: in px, or as a fraction of the whole. */
  size: number | `${number}%`;
  /** Whether it keeps its size or its fraction when the window is resized. */
  keeps?: 'size' | 'fraction';
  /** What it shows: a pane that has given way comes back when another thing is chosen. */
  shows?: string | null;
  className: string | undefined;
  children: ReactNode;
}

/**
 * A pane next to the main part of a view. Ctrl+B (left, top) or Ctrl+Alt+B (right, bottom) collapses it to a strip with a
 * button; it stays collapsed. Zen mode collapses it for a while. Where two of them have no room, opening one collapses the
 * other until there is.
 */
export function SidePane(props: Props) {
  const { id, side, title, active, least, size, keeps = 'size', shows = null, className, children } = props;
  const panel = usePanelRef();
  const [collapsed, setCollapsed] = useState(false);
  /** The size of the group, in px, from which it has room again; null: it has not given way. */
  const [roomFrom, setRoomFrom] = useState<number | null>(null);
  /** Its largest size, in px, while another pane has given way: the rest is for the main part. */
  const [most, setMost] = useState<number | null>(null);
  const onBack = useRef(() => {});
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const view = useContext(ViewContext);
  const { zen } = useWorkbench();
  const isZen = useStore(zen);
  const memory = `zen.${view}.${id}`;
  // A panel that was collapsed before a reload does not know its former size.
  const sizeMemory = `pane.${view}.${id}`;
  const lastSize = useRef(remembered(sizeMemory, 0));
  const expand = () => {
    if (lastSize.current > STRIP) panel.current?.resize(lastSize.current);
    else panel.current?.expand();
  };
  const resized = ({ inPixels }: { inPixels: number }) => {
    const isCollapsed = panel.current?.isCollapsed() === true;
    if (isCollapsed && !collapsed) remember(sizeMemory, lastSize.current);
    if (!isCollapsed) lastSize.current = inPixels;
    setCollapsed(isCollapsed);
  };

  const followZen = useEffectEvent((on: boolean) => {
    if (!panel.current) return;
    if (on) {
      // After a reload in zen mode, the pane is already collapsed.
      remember(memory, remembered(memory, !panel.current.isCollapsed()));
      panel.current.collapse();
    } else {
      if (remembered(memory, false)) expand();
      remember(memory, null);
    }
  });
  useEffect(() => followZen(isZen), [isZen]);

  const wantsFocus = useRef(false);
  useEffect(() => {
    if (collapsed || !element || !wantsFocus.current) return;
    wantsFocus.current = false;
    focusOpened(element);
  }, [collapsed, element, wantsFocus]);
  const isCollapsed = () => panel.current?.isCollapsed() === true;
  const sizeOfGroup = () => {
    const { width = 0, height = 0 } = element?.parentElement?.getBoundingClientRect() ?? {};
    return side === 'left' || side === 'right' ? width : height;
  };
  const comeBack = () => {
    if (roomFrom === null) return false;
    // At once: the panel has its former size now, or can be expanded.
    flushSync(() => {
      setRoomFrom(null);
      onBack.current();
    });
    return true;
  };
  const show = () => {
    comeBack();
    if (isCollapsed()) expand();
    if (!isCollapsed()) return;
    const wanted = Math.max(least, lastSize.current);
    flushSync(() => {
      const hasRoom = neighborsOf(element).some(({ giveWay }) => giveWay(least - STRIP, () => setMost(null)));
      if (hasRoom) setMost(wanted);
    });
    if (isCollapsed()) expand();
  };
  const hide = () => {
    const back = neighborsOf(element).filter((other) => other.comeBack());
    if (!isCollapsed()) panel.current?.collapse();
    for (const other of back) other.show();
  };
  const neighbor: Neighbor = {
    isOpen: () => !isCollapsed(),
    giveWay: (needed, back) => {
      if (!panel.current || isCollapsed()) return false;
      const spare = panel.current.getSize().inPixels - least;
      setRoomFrom(sizeOfGroup() + Math.max(1, needed - spare));
      onBack.current = back;
      return true;
    },
    comeBack,
    show,
  };
  useLayoutEffect(() => {
    if (element) NEIGHBORS.set(element, neighbor);
  });
  const followRoom = useEffectEvent(() => {
    if (roomFrom === null || sizeOfGroup() < roomFrom) return;
    // They stay open, also panes that were collapsed before.
    const others = neighborsOf(element).filter(({ isOpen }) => isOpen());
    for (const pane of [neighbor, ...others]) pane.show();
  });
  useEffect(() => {
    const group = element?.parentElement;
    if (!group || roomFrom === null) return undefined;
    const observer = new ResizeObserver(() => followRoom());
    observer.observe(group);
    return () => observer.disconnect();
  }, [element, roomFrom]);
  const shown = useRef(shows);
  const followShown = useEffectEvent((now: string | null) => {
    if (now !== shown.current && roomFrom !== null) show();
    shown.current = now;
  });
  useEffect(() => {
    // Not while React renders.
    queueMicrotask(() => followShown(shows));
  }, [shows]);
  const open = () => {
    wantsFocus.current = true;
    show();
  };
  useCommands([
    {
      id: KEYS[side] === 'Ctrl+B' ? 'pane.left' : 'pane.right',
      section: 'Panes',
      title: `${collapsed ? 'Show' : 'Hide'} the ${title}`,
      keys: KEYS[side],
      enabled: active,
      run: () => (collapsed ? open() : hide()),
    },
  ]);
  return (
    <Panel
      id={id}
      className={className}
      panelRef={panel}
      elementRef={setElement}
      // Limits, unlike a new size, leave the wanted sizes of the group as they are.
      minSize={roomFrom === null ? least : STRIP}
      maxSize={roomFrom === null ? (most ?? '100%') : STRIP}
      defaultSize={size}
      collapsible
      collapsedSize={STRIP}
      groupResizeBehavior={keeps === 'size' ? 'preserve-pixel-size' : 'preserve-relative-size'}
      onResize={resized}
    >
      {collapsed && (
        <button
          type="button"
          className={styles.strip}
          data-side={side}
          data-pane={`${id}-strip`}
          aria-label={`Show the ${title}`}
          title={`Show the ${title} (${KEYS[side]})`}
          onClick={open}
        >
          <ChevronRightRegular aria-hidden />
        </button>
      )}
      <div className={styles.content} data-pane-content hidden={collapsed}>
        {children}
      </div>
    </Panel>
  );
}
