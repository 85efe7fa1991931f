import { useCallback, useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Client } from '../client/client.ts';
import type { Transport } from '../transport/transport.ts';
import {
  FluentProvider,
  Toast,
  ToastBody,
  ToastFooter,
  ToastTitle,
  Toaster,
  Link,
  useId,
  useToastController,
} from '../ui/fluent.ts';
import { Sentence } from '../ui/text/sentence.tsx';
import { remembered } from '../support/local-storage.ts';
import { Store, useStore } from '../support/store.ts';
import { useLeaveNotices } from './notices/leave-notices.ts';
import { useRestoreNotice } from './notices/after-restore.ts';
import { CommandRegistry } from './palette/commands.ts';
import { Frame } from './frame.tsx';
import { useHelp } from './help/use-help.ts';
import { keepNotice, keptNotice } from './notices/notices.ts';
import type { KeptNotice } from './notices/notices.ts';
import { keysOf, shownKeys } from './palette/keys.ts';
import { THEMES, ThemeSwitch } from './theme.ts';
import { Themed } from './themed.tsx';
import type { View } from './view.ts';
import type { WhySubject } from './why/use-why.ts';
import type { Activity, Notice, OpenDrafts } from './workbench.ts';
import styles from './frame.module.css';

interface Props {
  client: Client;
  transport: Transport;
  views: readonly View[];
}

const NOTICE_MS = 8_000;
const TOASTER_SHORTCUTS = { focus: (event: KeyboardEvent) => keysOf(event) === 'Alt+T' };

/** The theme and the notices around the frame. */
export function App({ client, transport, views }: Props) {
  const [themes] = useState(() => new ThemeSwitch());
  const theme = useStore(themes.shown);
  const toasterId = useId('notices');
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  return (
    <Themed theme={theme}>
      <Noticing client={client} transport={transport} views={views} themes={themes} toasterId={toasterId} />
      {/* Outside the frame, which is hidden from readers while a dialog is open. */}
      {createPortal(
        // Only a provider around it gives it the colors and fonts of the theme.
        <FluentProvider theme={THEMES[theme]}>
          <section ref={setLandmark} className={styles.notices} aria-label="New notices" />
        </FluentProvider>,
        document.body,
      )}
      {landmark && (
        <Toaster
          toasterId={toasterId}
          mountNode={landmark}
          // A feed of articles: they get the focus, which items of a list do not.
          role="feed"
          position="bottom-end"
          offset={{ vertical: 34 }}
          shortcuts={TOASTER_SHORTCUTS}
        />
      )}
    </Themed>
  );
}

/**
 * The corner of notices: on the other side than the pane in use, which they would cover. In a pane over most of the
 * width, on the other side than the focused element; if that is as wide, at its end, where rows and fields are empty.
 */
function cornerAwayFrom(focused: Element | null): 'bottom-start' | 'bottom-end' {
  const isWide = ({ width }: DOMRect) => width > window.innerWidth * 0.6;
  const boxes = [focused?.closest('[data-pane]'), focused].map((element) => element?.getBoundingClientRect());
  const used = boxes.find((box) => box && !isWide(box));
  return used && used.left + used.width / 2 > window.innerWidth / 2 ? 'bottom-start' : 'bottom-end';
}

function Noticing({ client, transport, views, themes, toasterId }: Props & { themes: ThemeSwitch; toasterId: string }) {
  const { dispatchToast, dismissToast } = useToastController(toasterId);
  const [notices] = useState(() => new Store<readonly KeptNotice[]>([]));
  const help = useHelp();
  const { open: openHelp } = help;
  const leaveNotices = useLeaveNotices();
  const notify = useCallback(
    (notice: Notice) => {
      const toastId = crypto.randomUUID();
      const kept = keptNotice(notice, toastId);
      const { title, body, action, help: place } = kept;
      keepNotice(notices, kept);
      const dismissAnd = (next: () => void | Promise<void>) => () => {
        leaveNotices();
        dismissToast(toastId);
        void next();
      };
      dispatchToast(
        <Toast>
          <ToastTitle
            action={
              action || place !== null ? (
                <span className={styles.toastActions}>
                  {action && <Link onClick={dismissAnd(action.run)}>{action.label}</Link>}
                  {place !== null && <Link onClick={dismissAnd(() => openHelp(place))}>Help</Link>}
                </span>
              ) : null
            }
          >
            <Sentence text={title} />
          </ToastTitle>
          {body && (
            <ToastBody>
              <Sentence text={body} />
            </ToastBody>
          )}
          {action && <ToastFooter className={styles.toastHint ?? ''}>Alt+T moves the focus here.</ToastFooter>}
        </Toast>,
        {
          toastId,
          intent: notice.intent,
          position: cornerAwayFrom(document.activeElement),
          timeout: NOTICE_MS,
          root: { role: 'article' },
          pauseOnHover: true,
          pauseOnWindowBlur: true,
        },
      );
    },
    [dispatchToast, dismissToast, leaveNotices, notices, openHelp],
  );
  useRestoreNotice(client, notify);
  const [isZenAtStart] = useState(() => remembered('zen', false));
  useEffect(() => {
    if (isZenAtStart) notify({ intent: 'info', title: 'Zen mode', body: `${shownKeys('Alt+Shift+Z')} ends it.` });
  }, [isZenAtStart, notify]);
  const services = useMemo(
    () => ({
      client,
      transport,
      commands: new CommandRegistry(),
      themes,
      theme: themes.shown,
      statusTexts: new Store<Readonly<Record<string, string>>>({}),
      activity: new Store<Activity | null>(null),
      drafts: new Store<OpenDrafts | null>(null),
      whySubjects: new Store<Readonly<Record<string, WhySubject | null>>>({}),
      notify,
      zen: new Store(isZenAtStart),
    }),
    [client, transport, themes, notify, isZenAtStart],
  );
  return <Frame views={views} themes={themes} notices={notices} help={help} services={services} />;
}
