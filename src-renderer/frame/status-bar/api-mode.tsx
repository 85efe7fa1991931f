import { useCallback, useEffect, useState } from 'react';
import { API_MODES } from '#domain/mock/api-call';
import type { ApiMode as Mode } from '#domain/mock/api-call';
import { stayCurrent } from '../../client/stay-current.ts';
import { Menu, MenuItemRadio, MenuList, MenuPopover, MenuTrigger } from '../../ui/fluent.ts';
import { CloudRegular } from '../../ui/icons.ts';
import { API_MODE_TEXTS } from './api-mode-texts.ts';
import { useWorkbench } from '../workbench.ts';
import styles from '../frame.module.css';

const SHORT: Readonly<Record<Mode, string>> = { live: 'live', mockFirst: 'mock first', offline: 'offline' };

/** Where the API calls of scripts go, and the switch for it. */
export function ApiMode() {
  const { client, notify } = useWorkbench();
  const [mode, setMode] = useState<Mode | null>(null);
  const read = useCallback(
    (signal?: AbortSignal) =>
      client.settings.get(undefined, signal ? { signal } : {}).then(
        (settings) => setMode(settings['api.mode']),
        // An unknown mode is not shown; the next read corrects it.
        () => undefined,
      ),
    [client],
  );
  useEffect(() => {
    const end = new AbortController();
    // A view, another window or the command line may change it.
    void stayCurrent({ changes: [(signal) => client.mocks.changes(undefined, { signal })], read }, end.signal);
    return () => end.abort();
  }, [client, read]);
  if (mode === null) return null;
  const choose = async (next: Mode) => {
    try {
      setMode((await client.settings.update({ 'api.mode': next }))['api.mode']);
    } catch (error) {
      notify({ intent: 'error', title: 'The API mode was not changed', error });
    }
  };
  return (
    <Menu
      checkedValues={{ mode: [mode] }}
      onOpenChange={(_event, { open }) => open && void read()}
      onCheckedValueChange={(_event, { checkedItems: [name] }) => {
        const chosen = API_MODES.find((known) => known === name);
        if (chosen) void choose(chosen);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <button type="button" className={styles.statusButton}>
          <CloudRegular aria-hidden />
          <span className={styles.statusText}>API calls: {SHORT[mode]}</span>
        </button>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {API_MODES.map((name) => (
            <MenuItemRadio key={name} name="mode" value={name}>
              {API_MODE_TEXTS[name]}
            </MenuItemRadio>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
