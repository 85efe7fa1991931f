import { useCallback, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Client } from '../client/client.ts';
import type { Transport } from '../transport/transport.ts';
import { Toast, ToastBody, ToastFooter, ToastTitle, Toaster, Link, useId, useToastController } from '../ui/fluent.ts';
import { Sentence } from '../ui/text/sentence.tsx';
import { Store, useStore } from '../support/store.ts';
import { useRestoreNotice } from './notices/after-restore.ts';
import { CommandRegistry } from './palette/commands.ts';
import { Frame } from './frame.tsx';
import { keepNotice } from './notices/notices.ts';
import type { KeptNotice } from './notices/notices.ts';
import { keysOf } from './palette/keys.ts';
import { ThemeSwitch } from './theme.ts';
import { Themed } from './themed.tsx';
import type { View } from './view.ts';
import type { Notice } from './workbench.ts';
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
      {createPortal(<section ref={setLandmark} aria-label="New notices" />, document.body)}
      {landmark && (
        <Toaster
          toasterId={toasterId}
          mountNode={landmark}
          position="bottom-end"
          offset={{ vertical: 34 }}
          shortcuts={TOASTER_SHORTCUTS}
        />
      )}
    </Themed>
  );
}

function Noticing({ client, transport, views, themes, toasterId }: Props & { themes: ThemeSwitch; toasterId: string }) {
  const { dispatchToast, dismissToast } = useToastController(toasterId);
  const [notices] = useState(() => new Store<readonly KeptNotice[]>([]));
  const notify = useCallback(
    (notice: Notice) => {
      const toastId = crypto.randomUUID();
      keepNotice(notices, { ...notice, id: toastId, at: new Date() });
      const act = () => {
        dismissToast(toastId);
        void notice.action?.run();
      };
      dispatchToast(
        <Toast>
          <ToastTitle action={notice.action ? <Link onClick={act}>{notice.action.label}</Link> : null}>
            <Sentence text={notice.title} />
          </ToastTitle>
          {notice.body && (
            <ToastBody>
              <Sentence text={notice.body} />
            </ToastBody>
          )}
          {notice.action && <ToastFooter className={styles.toastHint ?? ''}>Alt+T moves the focus here.</ToastFooter>}
        </Toast>,
        { toastId, intent: notice.intent, timeout: NOTICE_MS, pauseOnHover: true, pauseOnWindowBlur: true },
      );
    },
    [dispatchToast, dismissToast, notices],
  );
  useRestoreNotice(client, notify);
  const services = useMemo(
    () => ({
      client,
      transport,
      commands: new CommandRegistry(),
      themes,
      theme: themes.shown,
      statusTexts: new Store<Readonly<Record<string, string>>>({}),
      notify,
    }),
    [client, transport, themes, notify],
  );
  return <Frame views={views} themes={themes} notices={notices} services={services} />;
}
