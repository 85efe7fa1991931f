import { useMemo, useState } from 'react';
import { causesOf } from '#domain/tag/problem';
import { useCopy } from '../../../frame/use-copy.ts';
import { subjectAttributes, whyEntry } from '../../../frame/why/why-button.tsx';
import { useWorkbench } from '../../../frame/workbench.ts';
import { CheckmarkCircleFilled, ErrorCircleFilled } from '../../../ui/icons.ts';
import { RowMenu } from '../../../ui/lists/row-menu.tsx';
import { Tree, type TreeRow } from '../../../ui/lists/tree.tsx';
import { PathCell } from '../../../ui/text/path-cell.tsx';
import { pathTracks } from '../../../ui/text/path-parts.ts';
import { KIND_NAMES } from '../../../ui/text/tag-kind.tsx';
import type { TagProblems } from './use-tag-problems.ts';
import styles from './problems.module.css';

interface Props {
  found: TagProblems;
  onShow: (path: string) => void;
}

/** A cause with more tags is folded at first. */
const MOST_UNFOLDED = 20;

/** The tags with a bad quality by their causes; Enter or a click on a tag shows it. */
export function ProblemList({ found, onShow }: Props) {
  const { explain } = useWorkbench();
  const copy = useCopy();
  const [menu, setMenu] = useState<{ x: number; y: number; path: string } | null>(null);
  const { problems, total, read, failed } = found;
  const causes = useMemo(() => causesOf(problems), [problems]);
  const tracks = useMemo(() => pathTracks(problems.map(({ path }) => path)), [problems]);
  // By the text of the cause, so that it stays folded while other causes come and go.
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = (text: string, count: number) => !(folded.get(text) ?? count > MOST_UNFOLDED);

  const pathOf = new Map<string, string>();
  const textOf = new Map<string, string>();
  const rows = causes.flatMap(({ text, problems: tags }, at): TreeRow[] => {
    const open = isOpen(text, tags.length);
    const id = `cause-${at}`;
    textOf.set(id, text);
    const count = tags.length === 1 ? '1 tag' : `${tags.length.toLocaleString('en')} tags`;
    const cause: TreeRow = {
      id,
      level: 1,
      label: text,
      expanded: open,
      icon: <ErrorCircleFilled className={styles.bad} aria-hidden />,
      content: <span title={text}>{text}</span>,
      after: <span className={styles.count}>{count}</span>,
      readsContent: true,
    };
    if (!open) return [cause];
    return [
      cause,
      ...tags.map(({ path, kind, quality, reason = '' }, place): TreeRow => {
        const child = `${id}-${place}`;
        pathOf.set(child, path);
        const why = reason === '' ? quality : `${quality}: ${reason}`;
        return {
          id: child,
          level: 2,
          label: path,
          attributes: subjectAttributes({ thing: `tag:${path}` }),
          content: (
            <span className={styles.tag} title={`${path}\n${why}`}>
              <span>
                <PathCell path={path} kind={kind} tracks={tracks} />
              </span>
              <span className={styles.kind}>{KIND_NAMES[kind]}</span>
              <span className={styles.reason}>{why}</span>
            </span>
          ),
          readsContent: true,
        };
      }),
    ];
  });
  const toggle = (id: string, open: boolean) => {
    const text = textOf.get(id);
    if (text !== undefined) setFolded(new Map(folded).set(text, !open));
  };
  const show = (id: string) => {
    const path = pathOf.get(id);
    if (path !== undefined) onShow(path);
  };

  return (
    <section className={styles.problems} aria-label="Problems" data-pane="tag-problems" data-pane-main>
      {failed && (
        <p className={styles.hint} role="alert">
          The tags could not be read: {failed.message}
        </p>
      )}
      {rows.length > 0 ? (
        <Tree
          label="Problems of tags"
          rows={rows}
          onOpen={show}
          onToggle={toggle}
          onKey={() => false}
          onMenu={(id, at) => {
            const path = pathOf.get(id);
            if (path !== undefined) setMenu({ ...at, path });
          }}
        />
      ) : (
        read !== null && (
          <p className={styles.none} tabIndex={-1} data-pane-focus>
            <CheckmarkCircleFilled className={styles.good} aria-hidden />
            No problems: all {read.toLocaleString('en')} tags have a good or uncertain quality.
          </p>
        )
      )}
      {menu && (
        <RowMenu
          at={menu}
          onClose={() => setMenu(null)}
          entries={[
            { title: 'Show the tag', keys: 'Enter', run: () => onShow(menu.path) },
            { title: 'Copy the path', run: () => void copy(menu.path, 'Path copied') },
            whyEntry(`tag:${menu.path}`, explain),
          ]}
        />
      )}
      <div className={styles.foot} role="status">
        {read === null ? 'Reading all tags…' : summaryOf(total, read, problems.length)}
      </div>
    </section>
  );
}

function summaryOf(total: number, read: number, listed: number): string {
  const all = `${total.toLocaleString('en')} of ${read.toLocaleString('en')} tags have a bad quality`;
  return listed < total ? `${all}; the first ${listed.toLocaleString('en')} are listed` : all;
}
