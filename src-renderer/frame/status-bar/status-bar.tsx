import { useEffect, useState } from 'react';
import type { Client } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';
import { useStore } from '../../support/store.ts';
import { ApiMode } from './api-mode.tsx';
import { EventsApi } from './events-api.tsx';
import { Hosts } from './hosts.tsx';
import { Hub } from './hub.tsx';
import type { Notices } from '../notices/notices.ts';
import { Menu, MenuItemRadio, MenuList, MenuPopover, MenuTrigger, Tooltip } from '../../ui/fluent.ts';
import {
  AlertRegular,
  BugRegular,
  DarkThemeRegular,
  FolderRegular,
  PlugConnectedRegular,
  PlugDisconnectedRegular,
  QuestionCircleRegular,
  SaveRegular,
  WarningFilled,
} from '../../ui/icons.ts';
import { THEME_CHOICES, THEME_NAMES } from '../theme.ts';
import type { ThemeSwitch } from '../theme.ts';
import { useWorkbench } from '../workbench.ts';
import { clock, moment } from '../../support/moment.ts';
import styles from '../frame.module.css';

type Info = Awaited<ReturnType<Client['app']['info']>>;
type StatusStream = Awaited<ReturnType<Client['app']['status']>>;
type Status = StatusStream extends AsyncIterable<infer S> ? S : never;

interface Props {
  /** The visible view. */
  view: string;
  themes: ThemeSwitch;
  notices: Notices;
  onHelp: () => void;
  onNotices: () => void;
}

/** The status of the whole instance in one line. */
export function StatusBar({ view, themes, notices, onHelp, onNotices }: Props) {
  const { client, transport, statusTexts, activity, show } = useWorkbench();
  const lasting = useStore(activity);
  const connection = useStore(transport.state);
  const choice = useStore(themes.choice);
  const noticeCount = useStore(notices).length;
  const text = useStore(statusTexts)[view];
  const [info, setInfo] = useState<Info | null>(null);
  const [status, setStatus] = useState<Status | null>(null);
  const connected = connection.kind === 'connected';

  useEffect(() => {
    const end = new AbortController();
    void follow((signal) => client.app.status(undefined, { signal }), setStatus, end.signal);
    return () => end.abort();
  }, [client]);
  useEffect(() => {
    if (!connected) return undefined;
    const end = new AbortController();
    client.app.info(undefined, { signal: end.signal }).then(setInfo, () => setInfo(null));
    return () => end.abort();
  }, [client, connected]);

  return (
    <footer className={styles.status} aria-label="Status" data-pane="status">
      <span className={styles.statusItem} role="status">
        {connected ? <PlugConnectedRegular aria-hidden /> : <PlugDisconnectedRegular aria-hidden />}
        {connected ? 'Connected' : connection.kind === 'connecting' ? 'Connecting…' : 'Not connected'}
      </span>
      {connected && status && <EventsApi {...status.eventsApi} />}
      {connected && status && status.eventsApi.faults > 0 && (
        <button
          type="button"
          className={styles.statusButton}
          title="Responses of the events API get injected faults. Click to see the consumers."
          onClick={() => show('events', 'consumers')}
        >
          <WarningFilled aria-hidden />
          <span className={styles.statusText}>Faults are injected</span>
        </button>
      )}
      {connected && <ApiMode />}
      {lasting && (
        <button type="button" className={styles.statusButton} title={lasting.title} onClick={lasting.run}>
          <BugRegular aria-hidden />
          <span className={styles.statusText}>{lasting.text}</span>
        </button>
      )}
      {info && (
        <Tooltip content={`Workspace ${info.workspace}`} relationship="description">
          <span className={`${styles.statusItem} ${styles.ellipsis}`}>
            <FolderRegular aria-hidden />
            <span className={styles.ellipsis}>{info.workspace}</span>
          </span>
        </Tooltip>
      )}
      {/* Counts change their widths: nothing of the left side is after them. */}
      {connected && status?.hub && <Hub {...status.hub} />}
      {connected && status && <Hosts {...status.hosts} sandbox={info?.sandbox.summary} />}
      <span className={styles.spring} />
      {text && <span className={styles.statusItem}>{text}</span>}
      {status?.lastSavedAt && (
        <span className={`${styles.statusItem} ${styles.lastSaved}`} title={moment(new Date(status.lastSavedAt))}>
          <SaveRegular aria-hidden />
          Last saved {clock(new Date(status.lastSavedAt))}
        </span>
      )}
      <Menu
        checkedValues={{ theme: [choice] }}
        onCheckedValueChange={(_event, { checkedItems: [name] }) => {
          const chosen = THEME_CHOICES.find((choiceName) => choiceName === name);
          if (chosen) themes.choose(chosen);
        }}
      >
        <MenuTrigger disableButtonEnhancement>
          <button type="button" className={styles.statusButton}>
            <DarkThemeRegular aria-hidden />
            <span className={styles.statusLabel}>Theme</span>
          </button>
        </MenuTrigger>
        <MenuPopover>
          <MenuList>
            {THEME_CHOICES.map((name) => (
              <MenuItemRadio key={name} name="theme" value={name}>
                {THEME_NAMES[name]}
              </MenuItemRadio>
            ))}
          </MenuList>
        </MenuPopover>
      </Menu>
      <button type="button" className={styles.statusButton} aria-keyshortcuts="Alt+Shift+N" onClick={onNotices}>
        <AlertRegular aria-hidden />
        <span className={styles.statusLabel}>
          Notices{noticeCount > 0 && <span className={styles.noticeCount}> ({noticeCount})</span>}
        </span>
      </button>
      <button type="button" className={styles.statusButton} aria-keyshortcuts="F1" onClick={onHelp}>
        <QuestionCircleRegular aria-hidden />
        <span className={styles.statusLabel}>Help F1</span>
      </button>
    </footer>
  );
}
