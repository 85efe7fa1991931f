import { useEffect, useState } from 'react';
import type { Diagram } from '#domain/tag/diagram';
import { diagramAddress } from '#domain/tag/diagram';
import type { Client, ConnectionState } from '../../client/client.ts';
import { stayCurrent } from '../../client/stay-current.ts';
import { ThemeSwitch } from '../../frame/theme.ts';
import { Themed } from '../../frame/themed.tsx';
import type { Store } from '../../support/store.ts';
import { useStore } from '../../support/store.ts';
import { ZoomedPage } from '../../diagram-page/zoomed-page.tsx';
import { nextZoom, usePageZoom } from '../../diagram-page/page-zoom.ts';
import { ZoomMenu } from '../../diagram-page/zoom-menu.tsx';
import { keysOf } from '../../frame/palette/keys.ts';
import { Page } from '../../diagram-page/page.tsx';
import { ZOOM_KEYS } from './zoom-keys.ts';
import { Input, Spinner, Text } from '../../ui/fluent.ts';
import styles from './diagrams.module.css';

interface Props {
  client: Client;
  connection: Store<ConnectionState>;
  name: string;
  workcenter: string;
}

/** A Diagram in its own window, at its address: `/diagrams/<name>?workcenter=<location>`. */
export function DiagramWindow({ client, connection, name, workcenter }: Props) {
  const [themes] = useState(() => new ThemeSwitch());
  const theme = useStore(themes.shown);
  const connectionState = useStore(connection);
  const [diagram, setDiagram] = useState<Diagram | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [location, setLocation] = useState(workcenter);
  const view = usePageZoom(diagram?.id ?? null);
  const { scale, setZoom } = view;

  useEffect(() => {
    const end = new AbortController();
    void stayCurrent(
      {
        changes: [(signal) => client.diagrams.changes(undefined, { signal })],
        read: async (signal) => {
          setDiagram(await client.diagrams.get({ name }, { signal }));
          setProblem(null);
        },
        failed: ({ message }) => setProblem(message),
      },
      end.signal,
    );
    return () => end.abort();
  }, [client, name]);
  useEffect(() => {
    document.title = `${name}${location === '' ? '' : ` (${location})`} - Tagwright`;
    history.replaceState(null, '', diagramAddress(name, location));
  }, [name, location]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const zoom = ZOOM_KEYS.find(({ keys }) => keys.includes(keysOf(event)));
      if (!zoom) return;
      // The browser would zoom all of the window.
      event.preventDefault();
      setZoom(zoom.by === 0 ? 'fit' : nextZoom(scale, zoom.by));
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [scale, setZoom]);

  return (
    <Themed theme={theme}>
      <main className={styles.window} aria-label={`Diagram ${name}`}>
        <header className={styles.bar}>
          <h1 className={styles.title}>
            <bdi>{name}</bdi>
          </h1>
          <label className={styles.scope}>
            workcenter
            <Input
              size="small"
              value={location}
              placeholder="default"
              onChange={(_event, { value }) => setLocation(value)}
            />
          </label>
          <ZoomMenu view={view} />
          <span role="status">{connectionState.kind === 'connected' ? 'Connected' : 'Connection lost. Retrying…'}</span>
        </header>
        <div className={styles.canvas}>
          {problem !== null ? (
            <div className={styles.empty} role="alert">
              <Text weight="semibold">The Diagram can't be shown.</Text>
              <p>{problem}</p>
              <a href="/">Open the workbench</a>
            </div>
          ) : diagram ? (
            <ZoomedPage width={diagram.width} view={view}>
              <Page client={client} page={diagram} workcenter={location} active />
            </ZoomedPage>
          ) : (
            <Spinner size="tiny" label="Opening the Diagram…" />
          )}
        </div>
      </main>
    </Themed>
  );
}
