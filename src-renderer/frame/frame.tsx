import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { remember } from '../support/local-storage.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Button, Text, Tooltip } from '../ui/fluent.ts';
import type { Command } from './palette/commands.ts';
import { ConnectionBanner } from './notices/connection-banner.tsx';
import { useDesktopBridge } from './desktop-bridge.ts';
import { FirstSteps, firstStepsDone } from './first-steps.tsx';
import { useFocusKeeper } from './focus-keeper.ts';
import { ariaKeys, keysOf, shownKeys } from './palette/keys.ts';
import { KeysDialog } from './palette/keys-dialog.tsx';
import { NoticesDialog } from './notices/notices-dialog.tsx';
import type { Notices } from './notices/notices.ts';
import { useOffers } from './palette/offers.ts';
import { Palette } from './palette/palette.tsx';
import { movePane } from './panes.ts';
import { StatusBar } from './status-bar/status-bar.tsx';
import type { ThemeSwitch } from './theme.ts';
import { type View, type ViewTarget, firstView } from './view.ts';
import { type Workbench, WorkbenchContext, useCommands } from './workbench.ts';
import styles from './frame.module.css';

type FrameOverlay = 'palette' | 'keys' | 'notices';

interface Props {
  views: readonly View[];
  themes: ThemeSwitch;
  notices: Notices;
  /** The context of the frame, except `show`, which it adds itself. */
  services: Omit<Workbench, 'show'>;
}

/** The whole window: activity bar, visible view, status bar, command palette. Hidden views keep their state. */
export function Frame({ views, themes, notices, services }: Props) {
  const [current, setCurrent] = useState(() => firstView(views)?.id ?? '');
  const [visited, setVisited] = useState(() => new Set([current]));
  const [targets, setTargets] = useState<Readonly<Record<string, ViewTarget>>>({});
  const { overlay, open, close } = useOverlay();
  const [firstSteps, setFirstSteps] = useState(() => !firstStepsDone());

  const show = useCallback((viewId: string, what?: string, line?: number) => {
    remember('view', viewId);
    setCurrent(viewId);
    setVisited((seen) => (seen.has(viewId) ? seen : new Set([...seen, viewId])));
    if (what !== undefined) setTargets((all) => ({ ...all, [viewId]: { what, ...(line !== undefined && { line }) } }));
  }, []);
  const workbench = useMemo<Workbench>(() => ({ ...services, show }), [services, show]);
  useGlobalKeys(workbench);
  const keeper = useFocusKeeper();
  useDesktopBridge(workbench);

  return (
    <WorkbenchContext value={workbench}>
      <FrameCommands
        views={views}
        current={current}
        themes={themes}
        onShow={(viewId) => {
          keeper.lead();
          show(viewId);
        }}
        onOverlay={open}
        onFirstSteps={() => setFirstSteps(true)}
      />
      <div className={styles.frame}>
        <ActivityBar views={views} current={current} onShow={show} />
        <div className={styles.banner}>
          <ConnectionBanner />
        </div>
        {views
          .filter((view) => visited.has(view.id))
          .map((view) => (
            <main key={view.id} className={styles.view} hidden={view.id !== current} aria-label={view.title}>
              <ErrorBoundary
                renderFailure={(error, again) => <Failed title={view.title} error={error} again={again} />}
              >
                <view.component active={view.id === current} target={targets[view.id] ?? null} />
              </ErrorBoundary>
            </main>
          ))}
        <StatusBar
          view={current}
          themes={themes}
          notices={notices}
          onKeys={() => open('keys')}
          onNotices={() => open('notices')}
        />
        {firstSteps && <FirstSteps onDone={() => setFirstSteps(false)} />}
      </div>
      {/* Removed immediately when closed: a dialog that is fading out would catch the next key. */}
      {overlay === 'palette' && <Palette views={views} onClose={close} />}
      {overlay === 'keys' && <KeysDialog onClose={close} />}
      {overlay === 'notices' && <NoticesDialog notices={notices} onClose={close} />}
    </WorkbenchContext>
  );
}

function Failed({ title, error, again }: { title: string; error: unknown; again: () => void }) {
  return (
    <div className={styles.centre} role="alert">
      <Text weight="semibold">The view {title} failed. The other views continue, and drafts are kept.</Text>
      <Text font="monospace">{error instanceof Error ? error.message : String(error)}</Text>
      <Button appearance="primary" onClick={again}>
        Reload the view
      </Button>
    </div>
  );
}

interface FrameCommandsProps {
  views: readonly View[];
  current: string;
  themes: ThemeSwitch;
  onShow: (viewId: string) => void;
  onOverlay: (overlay: FrameOverlay) => void;
  onFirstSteps: () => void;
}

function FrameCommands({ views, current, themes, onShow, onOverlay, onFirstSteps }: FrameCommandsProps) {
  const section = 'Workbench';
  const theme = (choice: Parameters<ThemeSwitch['choose']>[0], title: string): Command => ({
    id: `theme.${choice}`,
    section,
    title,
    run: () => themes.choose(choice),
  });
  const offers = useOffers(views, current);
  useCommands([
    ...offers,
    { id: 'palette', section, title: 'Command palette', keys: 'Ctrl+K', run: () => onOverlay('palette') },
    { id: 'keys', section, title: 'Show the keys', keys: 'F1', run: () => onOverlay('keys') },
    { id: 'notices', section, title: 'Show the notices', keys: 'Alt+Shift+N', run: () => onOverlay('notices') },
    { id: 'first-steps', section, title: 'Show the first steps', run: onFirstSteps },
    ...views.map((view, index) => ({
      id: `view.${view.id}`,
      section,
      title: `Go to ${view.title}`,
      keys: `Ctrl+${index + 1}`,
      run: () => onShow(view.id),
    })),
    { id: 'pane.next', section, title: 'Next pane', keys: 'F6', run: () => movePane(1) },
    { id: 'pane.previous', section, title: 'Previous pane', keys: 'Shift+F6', run: () => movePane(-1) },
    theme('system', 'Theme: follow the system'),
    theme('light', 'Theme: light'),
    theme('dark', 'Theme: dark'),
    theme('high-contrast', 'Theme: high contrast'),
  ]);
  return null;
}

/** Keys of commands work everywhere, before the editor or a list handles them; not while a dialog is open. */
function useGlobalKeys({ commands }: Workbench): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const command = commands.withKeys(keysOf(event));
      if (!command) return;
      // Even if it is disabled: otherwise the browser would reload the page on F5 or save it on Ctrl+S.
      event.preventDefault();
      event.stopPropagation();
      if (command.enabled === false || event.repeat || document.querySelector('[aria-modal="true"]')) return;
      void command.run();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [commands]);
}

interface ActivityBarProps {
  views: readonly View[];
  current: string;
  onShow: (viewId: string) => void;
}

/** The activity bar: the list of views. */
function ActivityBar({ views, current, onShow }: ActivityBarProps) {
  return (
    <nav className={styles.rail} aria-label="Views" data-pane="rail">
      <h1 className={styles.unseen}>Tagwright</h1>
      {views.map((view, index) => {
        const keys = `Ctrl+${index + 1}`;
        return (
          <Tooltip
            key={view.id}
            content={`${view.title} (${shownKeys(keys)})`}
            relationship="description"
            positioning="after"
          >
            <button
              type="button"
              className={styles.railButton}
              aria-label={view.title}
              aria-keyshortcuts={ariaKeys(keys)}
              aria-current={view.id === current ? 'page' : undefined}
              onClick={() => onShow(view.id)}
            >
              <view.icon />
            </button>
          </Tooltip>
        );
      })}
    </nav>
  );
}

const MODAL = '[aria-modal="true"]';

/**
 * The open overlay (command palette, keys), if any. It keeps the focus while it is open. When it closes, the focus
 * returns to its former element, or to the one that requested it in the meantime: a view that has opened a script
 * focuses the editor when its text has loaded, which may be after the user pressed Ctrl+K again, and then the palette
 * would not get any keys.
 */
function useOverlay() {
  const [overlay, setOverlay] = useState<FrameOverlay | null>(null);
  const before = useRef<Element | null>(null);
  const open = useCallback((which: FrameOverlay) => {
    before.current = document.activeElement;
    setOverlay(which);
  }, []);
  const close = useCallback(() => setOverlay(null), []);

  useLayoutEffect(() => {
    if (overlay === null) return undefined;
    let inside = document.activeElement?.closest(MODAL) ? document.activeElement : null;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target.hasAttribute('data-tabster-dummy')) return;
      if (target.closest(MODAL)) {
        inside = target;
      } else if (inside instanceof HTMLElement && inside.isConnected) {
        before.current = target;
        inside.focus();
      }
    };
    document.addEventListener('focusin', onFocus, { capture: true });
    return () => {
      document.removeEventListener('focusin', onFocus, { capture: true });
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    };
  }, [overlay]);
  return { overlay, open, close };
}
