import type { ReactNode } from 'react';
import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Panel, usePanelRef } from 'react-resizable-panels';
import { remember, remembered } from '../../support/local-storage.ts';
import { useStore } from '../../support/store.ts';
import { ChevronRightRegular } from '../../ui/icons.ts';
import { focusOpened } from './panes.ts';
import { ViewContext, useCommands, useWorkbench } from '../workbench.ts';
import styles from './side-pane.module.css';

/** Width of a collapsed pane, in px: the button that shows it again. */
const STRIP = 22;

/** A pane above or below the main part has the key of the left or the right pane: a view has one of them. */
const KEYS = { left: 'Ctrl+B', top: 'Ctrl+B', right: 'Ctrl+Alt+B', bottom: 'Ctrl+Alt+B' } as const;
type Side = keyof typeof KEYS;

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
  className: string | undefined;
  children: ReactNode;
}

/**
 * A pane next to the main part of a view. Ctrl+B (left, top) or Ctrl+Alt+B (right, bottom) collapses it to a strip with a
 * button; it stays collapsed. Zen mode collapses it for a while.
 */
export function SidePane({ id, side, title, active, least, size, keeps = 'size', className, children }: Props) {
  const panel = usePanelRef();
  const [collapsed, setCollapsed] = useState(false);
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
  const open = () => {
    wantsFocus.current = true;
    expand();
  };
  useCommands([
    {
      id: KEYS[side] === 'Ctrl+B' ? 'pane.left' : 'pane.right',
      section: 'Panes',
      title: `${collapsed ? 'Show' : 'Hide'} the ${title}`,
      keys: KEYS[side],
      enabled: active,
      run: () => (collapsed ? open() : panel.current?.collapse()),
    },
  ]);
  return (
    <Panel
      id={id}
      className={className}
      panelRef={panel}
      elementRef={setElement}
      minSize={least}
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
