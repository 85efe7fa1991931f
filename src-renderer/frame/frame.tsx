import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { remember } from '../support/local-storage.ts';
import { useStore } from '../support/store.ts';
import { deferred } from '../ui/deferred.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Button, Text, Tooltip } from '../ui/fluent.ts';
import type { Command } from './palette/commands.ts';
import { BreakInAllBanner } from './notices/break-in-all-banner.tsx';
import { ConnectionBanner } from './notices/connection-banner.tsx';
import { useDesktopBridge } from './desktop-bridge.ts';
import { FirstSteps, firstStepsDone } from './first-steps.tsx';
import { HELP } from './help/places.ts';
import type { HelpControl } from './help/use-help.ts';
import { focusedHelp } from './help/use-help.ts';
import { useFocusKeeper } from './focus-keeper.ts';
import { useGlobalKeys } from './palette/global-keys.ts';
import { ariaKeys, shownKeys } from './palette/keys.ts';
import { KeysDialog } from './palette/keys-dialog.tsx';
import { NoticesDialog } from './notices/notices-dialog.tsx';
import type { Notices } from './notices/notices.ts';
import { useOffers } from './palette/offers.ts';
import { Palette } from './palette/palette.tsx';
import { Symbols } from './palette/symbols.tsx';
import { movePane } from './panes/panes.ts';
import { EmptyPane } from './panes/secondary-pane.tsx';
import { StatusBar } from './status-bar/status-bar.tsx';
import type { ThemeSwitch } from './theme.ts';
import { type TextRange, type View, type ViewProps, type ViewTarget, firstView } from './view.ts';
import { type Workbench, ViewContext, WorkbenchContext, useCommands, useWorkbench } from './workbench.ts';
import { WHY_KEYS } from './why/why-button.tsx';
import { focusedSubject, useWhy } from './why/use-why.ts';
import styles from './frame.module.css';

const HelpPane = deferred(
  async () => (await import('./help/help-pane.tsx')).HelpPane,
  undefined,
  ({ help }, note) => (
    <EmptyPane name="help" label="Help" onClose={help.close}>
      {note}
    </EmptyPane>
  ),
);
const WhyPane = deferred(
  async () => (await import('./why/why-pane.tsx')).WhyPane,
  undefined,
  ({ why }, note) => (
    <EmptyPane name="why" label="Why?" onClose={why.close}>
      {note}
    </EmptyPane>
  ),
);

type FrameOverlay = 'palette' | 'symbols' | 'keys' | 'notices';

interface Props {
  views: readonly View[];
  themes: ThemeSwitch;
  notices: Notices;
  help: HelpControl;
  /** The context of the frame, except what it adds itself. */
  services: Omit<Workbench, 'show' | 'showHelp' | 'explain'>;
}

/** The whole window: activity bar, visible view, status bar, command palette. Hidden views keep their state. */
export function Frame({ views, themes, notices, help, services }: Props) {
  const [current, setCurrent] = useState(() => firstView(views)?.id ?? '');
  const [visited, setVisited] = useState(() => new Set([current]));
  const [targets, setTargets] = useState<Readonly<Record<string, ViewTarget>>>({});
  const { overlay, open, close } = useOverlay();
  const [firstSteps, setFirstSteps] = useState(() => !firstStepsDone());

  const show = useCallback((viewId: string, what?: string, at?: number | TextRange) => {
    remember('view', viewId);
    setCurrent(viewId);
    setVisited((seen) => (seen.has(viewId) ? seen : new Set([...seen, viewId])));
    if (what === undefined) return;
    const target = typeof at === 'object' ? { what, line: at.line, place: at } : { what, ...(at && { line: at }) };
    setTargets((all) => ({ ...all, [viewId]: target }));
  }, []);
  const { open: openHelp, follow: followHelp } = help;
  const why = useWhy();
  const { open: explain } = why;
  const workbench = useMemo<Workbench>(() => {
    const showHelp: Workbench['showHelp'] = (topic) => {
      openHelp(HELP[topic]);
    };
    return { ...services, show, showHelp, explain };
  }, [services, show, openHelp, explain]);
  const page = HELP[views.find(({ id }) => id === current)?.help ?? 'manual'];
  const shownPage = useRef(page);
  useEffect(() => {
    followHelp(shownPage.current, page);
    shownPage.current = page;
  }, [followHelp, page]);
  const { zen, commands } = workbench;
  const isZen = useStore(zen);
  const openPage = () => openHelp(focusedHelp() ?? page);
  useGlobalKeys(commands, current);
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
        onHelp={openPage}
        onZen={() => {
          remember('zen', isZen ? null : true);
          zen.set(!isZen);
          if (!isZen)
            workbench.notify({ intent: 'info', title: 'Zen mode', body: `${shownKeys('Alt+Shift+Z')} ends it.` });
        }}
      />
      <div className={styles.frame} data-zen={isZen || undefined}>
        <ActivityBar views={views} current={current} onShow={show} />
        <div className={styles.banner}>
          <ConnectionBanner />
          <BreakInAllBanner />
        </div>
        {views
          .filter((view) => visited.has(view.id))
          .map((view) => (
            <ViewPlace key={view.id} view={view} active={view.id === current} target={targets[view.id] ?? null} />
          ))}
        <StatusBar
          view={current}
          themes={themes}
          notices={notices}
          onHelp={openPage}
          onNotices={() => open('notices')}
        />
        {why.place !== null && <WhyPane why={why} />}
        {help.place !== null && <HelpPane help={help} place={help.place} onKeys={() => open('keys')} />}
        {firstSteps && <FirstSteps onDone={() => setFirstSteps(false)} />}
      </div>
      {/* Removed immediately when closed: a dialog that is fading out would catch the next key. */}
      {overlay === 'palette' && <Palette views={views} current={current} onClose={close} />}
      {overlay === 'symbols' && <Symbols onClose={close} />}
      {overlay === 'keys' && <KeysDialog onClose={close} />}
      {overlay === 'notices' && <NoticesDialog notices={notices} onHelp={help.open} onClose={close} />}
    </WorkbenchContext>
  );
}

interface ViewPlaceProps extends ViewProps {
  view: View;
}

/** A visited view. A switch renders only the two views that it changes. */
const ViewPlace = memo(function ViewPlace({ view, active, target }: ViewPlaceProps) {
  return (
    <div className={styles.place} data-shown={active}>
      <main className={styles.view} hidden={!active} aria-label={view.title} data-help={view.help}>
        <ErrorBoundary renderFailure={(error, again) => <Failed title={view.title} error={error} again={again} />}>
          <ViewContext value={view.id}>
            <view.component active={active} target={target} />
          </ViewContext>
        </ErrorBoundary>
      </main>
    </div>
  );
});

function Failed({ title, error, again }: { title: string; error: unknown; again: () => void }) {
  return (
    <div className={styles.center} role="alert">
      <Text weight="semibold">The view {title} failed. The other views continue, and drafts are kept.</Text>
      <Text font="monospace">{error instanceof Error ? error.message : String(error)}</Text>
      <Button appearance="primary" onClick={again}>
        Reload the view
      </Button>
    </div>
  );
}

const NOTHING_CHOSEN =
  'Select a tag, a rule, an event, a data row, a request or an API call, or run a script, and press Alt+Y again.';

interface FrameCommandsProps {
  views: readonly View[];
  current: string;
  themes: ThemeSwitch;
  onShow: (viewId: string) => void;
  onOverlay: (overlay: FrameOverlay) => void;
  onFirstSteps: () => void;
  onHelp: () => void;
  onZen: () => void;
}

function FrameCommands({ views, current, themes, onShow, onOverlay, onFirstSteps, onHelp, onZen }: FrameCommandsProps) {
  const { explain, notify, whySubjects } = useWorkbench();
  const section = 'Workbench';
  const theme = (choice: Parameters<ThemeSwitch['choose']>[0], title: string): Command => ({
    id: `theme.${choice}`,
    section,
    title,
    run: () => themes.choose(choice),
  });
  const offers = useOffers(views, current);
  const explainShown = () => {
    const subject = focusedSubject() ?? whySubjects.get()[current];
    if (subject) explain(subject);
    else notify({ intent: 'info', title: 'Nothing to explain', body: NOTHING_CHOSEN });
  };
  useCommands([
    ...offers,
    { id: 'palette', section, title: 'Command palette', keys: 'Ctrl+K', run: () => onOverlay('palette') },
    {
      id: 'symbols',
      section,
      title: 'Go to symbol in all scripts',
      keys: 'Ctrl+T',
      run: () => onOverlay('symbols'),
    },
    { id: 'help', section, title: 'Help for this view', keys: 'F1', run: onHelp },
    { id: 'why', section, title: 'Why?', keys: WHY_KEYS, run: explainShown },
    { id: 'keys', section, title: 'Show the keys', keys: 'Shift+F1', run: () => onOverlay('keys') },
    { id: 'notices', section, title: 'Show the notices', keys: 'Alt+Shift+N', run: () => onOverlay('notices') },
    { id: 'first-steps', section, title: 'Show the first steps', run: onFirstSteps },
    ...views.map((view, index) => ({
      id: `view.${view.id}`,
      section,
      title: `Go to ${view.title}`,
      keys: `Ctrl+${index + 1}`,
      run: () => onShow(view.id),
    })),
    { id: 'zen', section, title: 'Zen mode', keys: 'Alt+Shift+Z', run: onZen },
    { id: 'pane.next', section, title: 'Next pane', keys: 'F6', run: () => movePane(1) },
    { id: 'pane.previous', section, title: 'Previous pane', keys: 'Shift+F6', run: () => movePane(-1) },
    theme('system', 'Theme: follow the system'),
    theme('light', 'Theme: light'),
    theme('dark', 'Theme: dark'),
    theme('high-contrast', 'Theme: high contrast'),
  ]);
  return null;
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
