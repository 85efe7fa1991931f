import { useMemo } from 'react';
import type { KeyboardEvent } from 'react';
import type { FoundItem, SearchKind } from '#domain/search/found';
import { searchKindName } from '#domain/search/found';
import { useStore } from '../../support/store.ts';
import { Button } from '../../ui/fluent.ts';
import {
  BeakerRegular,
  CloudSwapRegular,
  CodeRegular,
  DataHistogramRegular,
  DismissRegular,
  RenameRegular,
  EditRegular,
  TagMultipleRegular,
} from '../../ui/icons.ts';
import type { TreeRow } from '../../ui/lists/tree.tsx';
import { Tree } from '../../ui/lists/tree.tsx';
import { KindIcon } from '../../ui/text/tag-kind.tsx';
import type { SearchModel } from './model/search-model.ts';
import type { FoundMatch, SearchForm, SearchState, ShownItem } from './model/search-state.ts';
import { replacedBy } from './model/search-state.ts';
import styles from './search.module.css';

const ICONS: Readonly<Record<SearchKind, typeof CodeRegular>> = {
  scripts: CodeRegular,
  drafts: EditRegular,
  tests: BeakerRegular,
  tags: TagMultipleRegular,
  rules: DataHistogramRegular,
  mocks: CloudSwapRegular,
};

interface Props {
  model: SearchModel;
  shown: readonly ShownItem[];
  onOpen: (match: FoundMatch) => void;
}

/** The items with their matches. */
export function ResultTree({ model, shown, onOpen }: Props) {
  const closed = useStore(model.store, (state) => state.closed);
  const current = useStore(model.store, (state) => state.current);
  const form = useStore(model.store, (state) => state.form);
  const refused = useStore(model.store, (state) => state.refused);
  const rows = useMemo(() => rowsOf(shown, closed, { form, refused }), [shown, closed, form, refused]);
  const byId = useMemo(() => new Map(shown.flatMap(({ matches }) => matches.map((one) => [one.id, one]))), [shown]);

  const exclude = (id: string) => {
    // After an item, the next one; after its last match, too.
    const at = rows.findIndex((row) => row.id === id);
    const rest = rows.slice(at + 1).find(({ id: other }) => !other.startsWith(`${id}:`));
    model.exclude(id, (rest ?? rows[at - 1])?.id ?? null);
  };
  const replace = (id: string) => {
    const match = byId.get(id);
    const ofItem = shown.find((one) => one.id === id)?.matches ?? [];
    void model.replace(match ? [match] : ofItem);
  };
  const onKey = (id: string, event: KeyboardEvent): boolean => {
    const isReplace = form.replacing && event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (isReplace) replace(id);
    else if (event.key === 'Delete') exclude(id);
    else return false;
    return true;
  };
  const shownRows = rows.map((row): TreeRow => {
    const { id, isRefused: _isRefused, ...shownRow } = row;
    return {
      ...shownRow,
      id,
      selected: id === current,
      after: (
        <>
          {row.after}
          {form.replacing && !row.isRefused && (
            <Button
              size="small"
              appearance="transparent"
              className={styles.rowButton}
              icon={<RenameRegular />}
              tabIndex={-1}
              aria-label={`Replace ${row.label}`}
              title="Replace (Ctrl+Enter)"
              onClick={(event) => {
                event.stopPropagation();
                replace(id);
              }}
            />
          )}
          <Button
            size="small"
            appearance="transparent"
            className={styles.rowButton}
            icon={<DismissRegular />}
            tabIndex={-1}
            aria-label={`Exclude ${row.label}`}
            title="Exclude (Delete)"
            onClick={(event) => {
              event.stopPropagation();
              exclude(id);
            }}
          />
        </>
      ),
    };
  });
  return (
    <Tree
      label="Results of the search"
      rows={shownRows}
      onToggle={(id, isOpen) => model.fold(id, isOpen)}
      onOpen={(id) => {
        const match = byId.get(id);
        if (!match) return;
        model.select(id);
        onOpen(match);
      }}
      onKey={onKey}
    />
  );
}

/** A row, and whether its matches can't be replaced. */
type ResultRow = TreeRow & { isRefused: boolean };

type Replacing = Pick<SearchState, 'form' | 'refused'>;

function rowsOf(shown: readonly ShownItem[], closed: ReadonlySet<string>, replacing: Replacing): ResultRow[] {
  return shown.flatMap(({ id, item, matches }): ResultRow[] => {
    const Icon = ICONS[item.kind];
    const isOpen = !closed.has(id);
    const { name, kind } = item;
    const reason = replacing.form.replacing ? (item.readOnly ?? replacing.refused.get(id) ?? null) : null;
    const count = matches.length === 1 ? '1 match' : `${matches.length} matches`;
    const head: ResultRow = {
      id,
      level: 1,
      label: name,
      describe: `${searchKindName(kind)}, ${count}${reason === null ? '' : `, not replaced: ${reason}`}`,
      expanded: isOpen,
      icon: item.tagKind ? <KindIcon kind={item.tagKind} /> : <Icon aria-hidden />,
      isRefused: reason !== null,
      content: (
        <>
          <bdi>{name}</bdi>
          <span className={styles.kind} data-text={kindText(item, replacing.form)} />
          {reason !== null && <span className={styles.reason} data-text={`Not replaced: ${reason}`} title={reason} />}
        </>
      ),
      after: <span className={styles.badge} data-text={matches.length.toLocaleString('en')} />,
    };
    if (!isOpen) return [head];
    const withField = item.texts.length > 1;
    return [head, ...matches.map((match) => rowOf(match, withField, replacing.form, reason !== null))];
  });
}

/** Texts like this are drawn from an attribute: a reader gets them from the name of the row. */
function kindText({ kind, readOnly }: FoundItem, { replacing }: SearchForm): string {
  if (kind !== 'drafts') return searchKindName(kind);
  if (readOnly !== null) return 'draft of another window';
  return replacing ? 'unsaved; replaced in the editor, not saved' : 'unsaved';
}

function rowOf(found: FoundMatch, withField: boolean, form: SearchForm, isRefused: boolean): ResultRow {
  const { id, field, match } = found;
  const { line, before, text, after, role } = match;
  const where = [withField ? `${field}, line ${line}` : `line ${line}`, ...(role ? [role] : [])].join(', ');
  const shownWhere = withField ? `${field}:${line}` : role ? `${role} ${line}` : line;
  const next = form.replacing && !isRefused && role === undefined ? replacedBy(found, form) : null;
  return {
    id,
    level: 2,
    label: `${before}${shownBreaks(text)}${shownBreaks(next ?? '')}${after}`,
    describe: next === null ? where : `${where}, “${text}” becomes “${next}”`,
    isRefused,
    content: (
      <span className={styles.match}>
        <span className={styles.where} data-text={shownWhere} data-role={role} />
        <span dir="ltr">
          {before}
          {next === null ? (
            <mark className={styles.found}>{shownBreaks(text)}</mark>
          ) : (
            <>
              <del className={styles.removed}>{shownBreaks(text)}</del>
              <ins className={styles.inserted}>{shownBreaks(next)}</ins>
            </>
          )}
          {after}
        </span>
      </span>
    ),
  };
}

/** Line breaks of a match, visible. */
const shownBreaks = (text: string): string => text.replaceAll(/\r?\n/g, '⏎ ');
