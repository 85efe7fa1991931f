import { useEffect, useMemo, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import type { DiagramPart, DiagramText } from '#domain/tag/diagram';
import { tagsOfPart } from '#domain/tag/diagram';
import type { Client } from '../client/client.ts';
import { RowMenu } from '../ui/lists/row-menu.tsx';
import { LiveValues } from '../client/live-values.ts';
import type { Overlay, PageActions, PageServices } from './page-context.ts';
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
  actions?: PageActions | null;
  children: ReactNode;
}

const NO_OVERLAYS: ReadonlyMap<string, Overlay> = new Map();

/** Provides the values and writes of a page's parts for one location, to `Page` or to an editor of the page. */
export function PageValues(props: ValuesProps) {
  const {
    client,
    page,
    workcenter,
    active,
    overlays = NO_OVERLAYS,
    readOnly = false,
    actions = null,
    children,
  } = props;
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
      actions,
      past: (wanted, signal) => client.tags.past(wanted, { signal }).catch(() => []),
      write: readOnly ? null : (tag, value) => writeFor({ client, scope }, tag, value),
    }),
    [client, values, definitions, scope, overlays, readOnly, actions],
  );
  return <PageContext value={services}>{children}</PageContext>;
}

/** A Diagram as its users see it; inside `PageValues`. */
export function PageDrawing({ page }: { page: DiagramText }) {
  const { overlays, actions } = usePage();
  const [menu, setMenu] = useState<{ x: number; y: number; tags: string[] } | null>(null);
  const openMenu = (event: MouseEvent<HTMLElement> | KeyboardEvent<HTMLElement>, tags: string[]) => {
    // A field has the menu of the browser, which pastes.
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    const { left, top } = event.currentTarget.getBoundingClientRect();
    // A key has no position.
    setMenu(
      'button' in event && event.button === 2
        ? { x: event.clientX, y: event.clientY, tags }
        : { x: left + 24, y: top + 24, tags },
    );
  };
  return (
    <section className={styles.page} style={{ width: page.width, height: page.height }} aria-label={page.name}>
      {page.parts.map((part) => {
        const tags = tagsOfPart(part);
        const why = tags.map((tag) => overlays.get(tag)?.why).find((one) => one !== undefined);
        return (
          <div
            key={part.id}
            className={styles.part}
            data-kind={part.kind}
            style={placeOf(part)}
            {...(why !== undefined && { 'data-overlaid': true })}
            {...(actions && tags[0] !== undefined && actions.attributesOf(tags[0], null))}
            {...(actions &&
              tags.length > 0 &&
              !hasControls(part) && { ...STOP, onKeyDown: (event) => isPress(event) && openMenu(event, tags) })}
            {...(actions && tags.length > 0 && { onContextMenu: (event) => openMenu(event, tags) })}
          >
            <PartView part={part} />
            {why !== undefined && <span className={styles.why}>{why}</span>}
          </div>
        );
      })}
      {menu && actions && (
        <RowMenu
          at={menu}
          entries={menu.tags.flatMap((tag) => actions.entriesOf(tag, null, menu.tags.length === 1))}
          onClose={() => setMenu(null)}
        />
      )}
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

/** Whether a part has a tab stop of its own. */
const hasControls = ({ kind }: DiagramPart): boolean => ['input', 'button', 'table', 'trend'].includes(kind);

/** A tab stop for a part that only shows something, so that its menu and *Why?* work by keyboard. */
const STOP = { tabIndex: 0, role: 'button', 'aria-haspopup': 'menu' } as const;

const isPress = ({ key, target, currentTarget }: KeyboardEvent): boolean =>
  target === currentTarget && (key === 'Enter' || key === ' ');

/** The position of a part on its page. */
export function placeOf({ x, y, width, height }: DiagramPart) {
  return { left: x, top: y, width, height };
}
