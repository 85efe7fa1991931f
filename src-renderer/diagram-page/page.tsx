import { useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { DiagramPart, DiagramText } from '#domain/tag/diagram';
import { tagsOfPart } from '#domain/tag/diagram';
import type { Client } from '../client/client.ts';
import { LiveValues } from '../client/live-values.ts';
import type { Overlay, PageServices } from './page-context.ts';
import { PageContext, pathsOf, useDefinitions, usePage, writeFor } from './page-context.ts';
import { PartView } from './part-view.tsx';
import styles from './page.module.css';

interface ValuesProps {
  client: Client;
  page: DiagramText;
  workcenter: string;
  /** A hidden page follows no values. */
  active: boolean;
  /** Notes about tags and replacements for their values, by path. */
  overlays?: ReadonlyMap<string, Overlay>;
  /** Read-only: nothing can be written from this page. */
  readOnly?: boolean;
  children: ReactNode;
}

const NO_OVERLAYS: ReadonlyMap<string, Overlay> = new Map();

/** Provides the values and writes of a page's parts for one location, to `Page` or to an editor of the page. */
export function PageValues(props: ValuesProps) {
  const { client, page, workcenter, active, overlays = NO_OVERLAYS, readOnly = false, children } = props;
  const [values] = useState(() => new LiveValues(client));
  const definitions = useDefinitions(client, page.parts, active);
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
    () => ({
      values,
      definitions,
      overlays,
      past: (wanted, signal) => client.tags.past(wanted, { signal }).catch(() => []),
      write: readOnly ? null : (tag, value) => writeFor({ client, scope }, tag, value),
    }),
    [client, values, definitions, scope, overlays, readOnly],
  );
  return <PageContext value={services}>{children}</PageContext>;
}

/** A Diagram as its users see it; inside `PageValues`. */
export function PageDrawing({ page }: { page: DiagramText }) {
  const { overlays } = usePage();
  return (
    <section className={styles.page} style={{ width: page.width, height: page.height }} aria-label={page.name}>
      {page.parts.map((part) => {
        const why = tagsOfPart(part)
          .map((tag) => overlays.get(tag)?.why)
          .find((one) => one !== undefined);
        return (
          <div
            key={part.id}
            className={styles.part}
            data-kind={part.kind}
            style={placeOf(part)}
            {...(why !== undefined && { 'data-overlaid': true })}
          >
            <PartView part={part} />
            {why !== undefined && <span className={styles.why}>{why}</span>}
          </div>
        );
      })}
    </section>
  );
}

/** A Diagram as its users see it, for one location. */
export function Page(props: Omit<ValuesProps, 'children'>) {
  return (
    <PageValues {...props}>
      <PageDrawing page={props.page} />
    </PageValues>
  );
}

/** The position of a part on its page. */
export function placeOf({ x, y, width, height }: DiagramPart) {
  return { left: x, top: y, width, height };
}
