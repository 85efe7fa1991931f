import { useEffect, useMemo, useState } from 'react';
import type { DiagramText } from '#domain/diagram';
import type { Client } from '../../../client/client.ts';
import { LiveValues } from '../../../client/live-values.ts';
import type { PageServices } from './page-context.ts';
import { PageContext, pathsOf, useDefinitions, writeFor } from './page-context.ts';
import { PartView } from './part-view.tsx';
import { PageEditor } from './page-editor.tsx';
import type { PageEditing } from './page-editor.tsx';
import styles from './page.module.css';

interface Props {
  client: Client;
  page: DiagramText;
  workcenter: string;
  /** A page that is not seen follows no values. */
  active: boolean;
  /** Given, the page is arranged instead of used. */
  editing?: PageEditing;
}

/** A Diagram as its users see it, for one location; or as it is arranged. */
export function Page({ client, page, workcenter, active, editing }: Props) {
  const [values] = useState(() => new LiveValues(client));
  const definitions = useDefinitions(client, page.parts);
  const scope = useMemo(() => ({ diagram: page.name, location: workcenter }), [page.name, workcenter]);
  const [seen, setSeen] = useState(scope);
  if (seen !== scope) {
    setSeen(scope);
    values.clear();
  }
  const paths = JSON.stringify(pathsOf(page.parts));
  useEffect(() => {
    if (!active) return values.stop();
    const wanted: string[] = JSON.parse(paths);
    values.watch(wanted, scope);
  }, [values, active, paths, scope]);
  useEffect(() => () => values.stop(), [values]);
  const services = useMemo<PageServices>(
    () => ({ values, definitions, write: (tag, value) => writeFor({ client, values, scope }, tag, value) }),
    [client, values, definitions, scope],
  );

  return (
    <PageContext value={services}>
      {editing ? (
        <PageEditor page={page} editing={editing} />
      ) : (
        <section className={styles.page} style={{ width: page.width, height: page.height }} aria-label={page.name}>
          {page.parts.map((part) => (
            <div
              key={part.id}
              className={styles.part}
              data-kind={part.kind}
              style={{ left: part.x, top: part.y, width: part.width, height: part.height }}
            >
              <PartView part={part} live />
            </div>
          ))}
        </section>
      )}
    </PageContext>
  );
}
