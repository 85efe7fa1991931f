import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { SEARCH_KINDS, foundText, type FoundItem, type SearchKind } from '#domain/search/found';
import type { Client } from '../../client/client.ts';
import type { ViewProps, TextRange } from '../../frame/view.ts';
import type { OpenDrafts, Workbench } from '../../frame/workbench.ts';
import { focusPane } from '../../frame/panes/panes.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { remember, remembered } from '../../support/local-storage.ts';
import { useStore } from '../../support/store.ts';
import { ownWindowId } from '../../support/window-id.ts';
import { Button, ProgressBar } from '../../ui/fluent.ts';
import { Sentence } from '../../ui/text/sentence.tsx';
import { SearchModel } from './model/search-model.ts';
import type { SearchForm, SearchState, FoundMatch } from './model/search-state.ts';
import { shownResults } from './model/search-state.ts';
import { ResultTree } from './result-tree.tsx';
import { SearchFields } from './search-fields.tsx';
import { partsOfDraftKey } from '#domain/run/script';
import styles from './search.module.css';

/** The results are drawn by then, ms. */
const FOCUS_MS = 300;

/** Searches the texts of all scripts, tests, tags, rules and mocks. */
export function SearchView({ active, target }: ViewProps) {
  const { client, drafts, notify, show } = useWorkbench();
  const [model] = useState(
    () =>
      new SearchModel({
        client,
        memory: {
          read: (key, fallback) => remembered(key, fallback),
          write: (key, value) => void remember(key, value),
        },
        window: ownWindowId(),
        flush: async () => drafts.get()?.flush(),
        replaceDraft: (...change) => replaceDraft(client, drafts.get(), ...change),
        notify,
      }),
  );
  const state = useStore(model.store);
  const field = useRef<HTMLInputElement>(null);
  const replacement = useRef<HTMLInputElement>(null);
  const { items, excluded, phase, end, progress, problem, references } = state;
  const shown = useMemo(() => shownResults({ items, excluded }), [items, excluded]);
  const hasResults = shown.length > 0;

  useEffect(() => {
    const [, name] = target?.what.split(/^references:/) ?? [];
    if (name !== undefined) void model.showReferences(name);
    // The results, which the user came for, take the focus from the field.
    if (name !== undefined) setTimeout(() => focusPane('search-results'), FOCUS_MS);
  }, [model, target]);

  // Texts may have changed while another view was visible.
  const wasActive = useRef(active);
  useEffect(() => {
    if (active && !wasActive.current) void model.search(true);
    wasActive.current = active;
  }, [model, active]);
  useEffect(() => () => model.cancel(), [model]);

  const seed = useRef('');
  const focus = (replacing: boolean) => {
    const selected = drafts.get()?.selected() ?? '';
    // The same selection again: the user may have typed another text since.
    const isNew = selected !== '' && selected !== seed.current;
    seed.current = selected;
    // Drawn before the focus moves.
    flushSync(() => {
      if (isNew) model.change({ text: selected, regex: false });
      if (replacing) model.change({ replacing });
    });
    const { text } = model.store.get().form;
    const to = replacing && text !== '' ? replacement.current : field.current;
    to?.focus();
    to?.select();
  };
  const replaceAll = () => void model.replace(shown.flatMap(({ matches }) => matches));
  const step = (by: 1 | -1) => {
    const next = model.step(by);
    if (next) openMatch(show, next);
  };
  const section = 'Search';
  useCommands([
    {
      id: 'search.find',
      section,
      title: 'Search in all scripts, tests, tags, rules and mocks',
      keys: 'Ctrl+Shift+F',
      enabled: active,
      run: () => focus(false),
    },
    {
      id: 'search.replace',
      section,
      title: 'Replace in all scripts, tests, tags, rules and mocks',
      keys: 'Ctrl+Shift+H',
      enabled: active,
      run: () => focus(true),
    },
    {
      id: 'search.replaceAll',
      section,
      title: 'Replace all results',
      keys: 'Ctrl+Alt+Enter',
      enabled: active && hasResults && state.form.replacing && phase === 'done' && references === null,
      run: replaceAll,
    },
    { id: 'search.next', section, title: 'Open the next result', keys: 'F4', enabled: hasResults, run: () => step(1) },
    {
      id: 'search.previous',
      section,
      title: 'Open the previous result',
      keys: 'Shift+F4',
      enabled: hasResults,
      run: () => step(-1),
    },
  ]);

  return (
    <div className={styles.view}>
      <section className={styles.form} aria-label="Search" data-pane="search-form">
        <SearchFields
          model={model}
          field={field}
          replacement={replacement}
          canReplace={hasResults && phase === 'done' && references === null}
          onReplaceAll={replaceAll}
        />
      </section>
      <section className={styles.results} aria-label="Results" data-pane="search-results" data-pane-main>
        {references !== null && (
          <p className={styles.references}>
            References to <strong>{references}</strong> in all scripts. Scripts do not share code, so the same name in
            another script is a copy or unrelated.
            <Button size="small" appearance="subtle" onClick={() => void model.showReferences(null)}>
              Back to the search
            </Button>
          </p>
        )}
        <div className={styles.head}>
          <span role="status" className={styles.count}>
            {phase === 'searching' && progress === null && 'Searching…'}
            {end && foundText(end)}
            {phase === 'done' && end === null && 'The search was stopped.'}
          </span>
          {phase === 'searching' && (
            <Button size="small" appearance="subtle" onClick={() => model.cancel()}>
              Stop
            </Button>
          )}
          {phase !== 'searching' && (state.form.text !== '' || references !== null) && (
            <Button size="small" appearance="subtle" onClick={() => void model.search()}>
              Search again
            </Button>
          )}
        </div>
        {phase === 'searching' && progress !== null && (
          <ProgressBar
            aria-label="Progress of the search"
            value={progress.total === 0 ? 1 : progress.searched / progress.total}
          />
        )}
        {problem !== null && (
          <p className={styles.problem} role="alert">
            <Sentence text={problem} />
          </p>
        )}
        {hasResults ? (
          <ResultTree model={model} shown={shown} onOpen={(match) => openMatch(show, match)} />
        ) : (
          problem === null && <Hint state={state} />
        )}
      </section>
    </div>
  );
}

/** In the editor that has it open; else, in the workspace. */
async function replaceDraft(
  client: Client,
  open: OpenDrafts | null,
  ...[key, before, after]: [key: string, before: string, after: string]
): Promise<boolean> {
  if (open) return open.replace(key, before, after);
  const draft = await client.drafts.get({ key });
  if (draft.body !== before) return false;
  await client.drafts.put({ ...draft, body: after, changedAt: new Date().toISOString() });
  return true;
}

function Hint({ state: { phase, items, form } }: { state: SearchState }) {
  if (phase === 'searching') return null;
  return (
    <p className={styles.hint} data-pane-focus>
      {form.kinds.length === 0
        ? 'Choose at least one kind of item.'
        : phase === 'empty'
          ? 'Type a text to search the bodies of scripts with their drafts and tests, expressions and SQL of tags, conditions of rules, and mocks.'
          : items.length > 0
            ? 'All results are excluded. Search again to see them.'
            : `Nothing was found. ${checkText(form)}`}
    </p>
  );
}

/** The options that may exclude an existing text. */
function checkText({ matchCase, wholeWord, regex, kinds, include, exclude }: SearchForm): string {
  const options = [
    ...(matchCase ? ['Match case'] : []),
    ...(wholeWord ? ['Whole word'] : []),
    ...(regex ? ['Regular expression'] : []),
    ...(kinds.length < SEARCH_KINDS.length || include !== '' || exclude !== '' ? ['Filters'] : []),
  ];
  if (options.length === 0) return 'All items were searched, ignoring case.';
  return `These options limit the search: ${options.join(', ')}.`;
}

/** The view of each kind, and its target for an item. */
const TARGETS: Readonly<Record<SearchKind, (item: FoundItem) => [view: string, what: string]>> = {
  scripts: ({ key }) => ['scripts', key],
  drafts: ({ key, scriptId }) => ['scripts', scriptId === null ? partsOfDraftKey(key).script : String(scriptId)],
  tests: ({ key, scriptId }) => ['scripts', `${scriptId ?? ''}:test:${key}`],
  tags: ({ key }) => ['tags', key],
  rules: ({ key }) => ['aggregations', key],
  mocks: ({ key }) => ['mocks', `mock:${key}`],
};

/** Opens an item at a match. */
function openMatch(show: Workbench['show'], { item, field, match }: FoundMatch): void {
  const { start, end, line, column } = match;
  const place: TextRange = { field, start, end, line, column };
  show(...TARGETS[item.kind](item), place);
}
