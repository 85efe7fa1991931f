import pages from 'virtual:manual';
import type { MouseEvent } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button, Select, Spinner } from '../../ui/fluent.ts';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { SecondaryPane } from '../panes/secondary-pane.tsx';
import type { ManualMatch } from './manual-search.ts';
import { MOST_MATCHES, searchManual } from './manual-search.ts';
import { HELP } from './places.ts';
import type { HelpControl } from './use-help.ts';
import styles from './help.module.css';

/** The pages that the list offers first, for users; the others follow by title. */
const FIRST = [
  HELP.manual,
  HELP.workbench,
  HELP.scripts,
  HELP.tags,
  HELP.aggregations,
  HELP.events,
  HELP.mocks,
  HELP.diagrams,
  HELP.settings,
].map(pageOf);
const NAMES = [
  ...FIRST,
  ...Object.keys(pages)
    .filter((name) => !FIRST.includes(name) && !name.startsWith('decisions/'))
    .toSorted((a, b) => titleOf(a).localeCompare(titleOf(b), 'en')),
];

/** The page of a place. */
function pageOf(place: string): string {
  return place.split('#')[0] ?? place;
}

function titleOf(name: string): string {
  return pages[name]?.title ?? name;
}

/** The manual next to the view: a page, or the results of a search in all pages. Escape closes it. */
export function HelpPane({ help, place, onKeys }: { help: HelpControl; place: string; onKeys: () => void }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const go = (to: string) => {
    setText('');
    help.open(to);
  };
  const name = pageOf(place);
  const isSearch = text.trim() !== '';
  return (
    <SecondaryPane
      name="help"
      label="Help"
      canGoBack={help.canGoBack}
      onBack={help.back}
      onClose={help.close}
      onKey={({ key, target }) => {
        const clears = key === 'Escape' && target === field.current && text !== '';
        if (clears) setText('');
        return clears;
      }}
      head={
        <>
          <Select
            className={styles.pages}
            size="small"
            aria-label="Page of the manual"
            value={name}
            onChange={(_event, { value }) => go(value)}
          >
            {!NAMES.includes(name) && <option value={name}>{titleOf(name)}</option>}
            {NAMES.map((one) => (
              <option key={one} value={one}>
                {titleOf(one)}
              </option>
            ))}
          </Select>
          <Button size="small" appearance="subtle" onClick={onKeys} aria-keyshortcuts="Shift+F1">
            Keys
          </Button>
        </>
      }
    >
      <FilterField
        label="Search the manual"
        placeholder="Search the manual"
        className={styles.search}
        value={text}
        onChange={setText}
        field={field}
      />
      <Page place={place} visits={help.visits} hidden={isSearch} onGo={go} />
      {isSearch && <Matches text={text} onGo={go} />}
    </SecondaryPane>
  );
}

interface PageProps {
  place: string;
  visits: number;
  hidden: boolean;
  onGo: (place: string) => void;
}

function Page({ place, visits, hidden, onGo }: PageProps) {
  const [name = '', heading] = place.split('#');
  const [loaded, setLoaded] = useState<{ name: string; html: string } | null>(null);
  const article = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const html = (await pages[name]?.load())?.default ?? `<h1>${titleOf(HELP.manual)}</h1>`;
      if (isCurrent) setLoaded({ name, html });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [name]);
  const html = loaded?.name === name ? loaded.html : null;
  // At once: when the text has arrived, the focus may have moved on.
  useLayoutEffect(() => {
    if (visits > 0) article.current?.focus();
  }, [visits]);
  const shown = useRef({ place: '', visits: 0 });
  useLayoutEffect(() => {
    const { current: page } = article;
    if (html === null || !page || (shown.current.place === place && shown.current.visits === visits)) return;
    const target = heading === undefined ? null : page.querySelector(`#${CSS.escape(heading)}`);
    if (target) target.scrollIntoView({ block: 'start' });
    else page.scrollTo(0, 0);
    shown.current = { place, visits };
  }, [article, shown, html, heading, place, visits]);
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-place]') : null;
    if (!link) return;
    event.preventDefault();
    onGo(link.getAttribute('data-place') ?? HELP.manual);
  };
  return (
    <div
      ref={article}
      className={styles.page}
      hidden={hidden}
      role="region"
      aria-label={titleOf(name)}
      tabIndex={0}
      data-pane-focus
      onClick={follow}
    >
      {html === null ? <Spinner size="tiny" aria-label="Loading the page" /> : <Html html={html} />}
    </div>
  );
}

/** Made from the project's own Markdown during the build. */
function Html({ html }: { html: string }) {
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}

function Matches({ text, onGo }: { text: string; onGo: (place: string) => void }) {
  const [found, setFound] = useState<readonly ManualMatch[] | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const search = async () => {
      const matches = await searchManual(text);
      if (isCurrent) setFound(matches);
    };
    void search();
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return (
    <div className={styles.matches}>
      <p role="status">
        {found === null
          ? 'Searching…'
          : found.length === 0
            ? 'The manual has no section with all of these words.'
            : found.length === 1
              ? '1 section'
              : found.length === MOST_MATCHES
                ? `The first ${MOST_MATCHES} sections`
                : `${found.length} sections`}
      </p>
      <ul>
        {found?.map(({ place, page, heading, around }) => (
          <li key={place}>
            <button type="button" onClick={() => onGo(place)}>
              <span className={styles.matchTitle}>{page === heading ? page : `${page} › ${heading}`}</span>
              {around && (
                <span className={styles.matchText}>
                  {around.before}
                  <mark>{around.word}</mark>
                  {around.after}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
