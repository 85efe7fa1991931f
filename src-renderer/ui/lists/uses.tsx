import { Fragment } from 'react';
import type { ReactNode } from 'react';
import type { DraftUse, ScriptUse, TextPlace } from '#domain/tag/usage';
import { Link } from '../fluent.ts';
import { Sentence } from '../text/sentence.tsx';
import styles from './uses.module.css';

const MOST_LINES = 20;

/** A list of references. */
export function Uses({ children }: { children: ReactNode }) {
  return <ul className={styles.uses}>{children}</ul>;
}

interface UseProps {
  text: ReactNode;
  /** If it is a path of a tag, which has a line of its own. */
  isPath?: boolean;
  /** Opens it; without it, only the name is shown. */
  onShow?: (() => void) | undefined;
  /** The positions in it. */
  children: ReactNode;
}

/** A reference, with its positions. */
export function Use({ text, isPath = false, onShow, children }: UseProps) {
  return (
    <li data-path={isPath || undefined}>
      {onShow ? (
        <Link as="button" className={styles.name} onClick={onShow}>
          {text}
        </Link>
      ) : (
        <span className={styles.name}>{text}</span>
      )}
      <span className={styles.where}>{children}</span>
    </li>
  );
}

interface MemberUsesProps<Item> {
  /** The kind of the items. */
  what: string;
  uses: readonly Item[];
  onShow?: ((use: Item) => void) | undefined;
}

/** Items of one kind, each with its members that refer to something. */
export function MemberUses<Item extends { id: number; name: string; members: readonly string[] }>({
  what,
  uses,
  onShow,
}: MemberUsesProps<Item>) {
  return uses.map((use) => (
    <Use key={use.id} text={use.name} onShow={onShow && (() => onShow(use))}>
      {what}, <Members members={use.members} />
    </Use>
  ));
}

/** The name of a script; the text direction of each part is isolated. */
export function ScriptName({ group, name }: { group: string; name: string }) {
  return (
    <>
      <bdi>{group}</bdi>/<bdi>{name}</bdi>
    </>
  );
}

/** The members that refer to something; the text direction of each is isolated. */
export function Members({ members }: { members: readonly string[] }) {
  return members.map((member, index) => (
    <Fragment key={member}>
      {index > 0 && ', '}
      <bdi>
        <Sentence text={member} />
      </bdi>
    </Fragment>
  ));
}

interface ScriptUsesProps {
  scripts: readonly (Omit<ScriptUse, 'exact'> & { exact?: boolean })[];
  drafts: readonly Omit<DraftUse, 'exact'>[];
  /** Shows a script in its view, at a line; without it, scripts are listed by name only. */
  onShow?: ((view: 'scripts', what: string, line?: number) => void) | undefined;
}

/** The scripts and drafts with references, each with its lines. */
export function ScriptUses({ scripts, drafts, onShow }: ScriptUsesProps) {
  const shows = (script: number | null) =>
    onShow && script !== null ? (line: number | undefined) => onShow('scripts', String(script), line) : undefined;
  return (
    <>
      {scripts.map(({ id, group, name, places, exact = true }) => (
        <Use key={`script ${id}`} text={<ScriptName group={group} name={name} />} onShow={showing(shows(id), places)}>
          <Lines places={places} onShow={shows(id)} />
          {!exact && ' (has a syntax error, so it was searched as text)'}
        </Use>
      ))}
      {drafts.map(({ key, scriptId, group, name, places }) => (
        <Use
          key={`draft ${key}`}
          text={name === '' ? 'a new script' : <ScriptName group={group} name={name} />}
          onShow={showing(shows(scriptId), places)}
        >
          unsaved, <Lines places={places} onShow={shows(scriptId)} />
        </Use>
      ))}
    </>
  );
}

type ShowLine = ((line: number | undefined) => void) | undefined;

const showing = (show: ShowLine, [first]: readonly TextPlace[]) => show && (() => show(first?.line));

/** `line 3`, `lines 3, 9 and 12`; each line is a link. */
function Lines({ places, onShow }: { places: readonly TextPlace[]; onShow: ShowLine }) {
  const all = [...new Set(places.map(({ line }) => line))];
  const lines = all.slice(0, MOST_LINES);
  const more = all.length - lines.length;
  return (
    <>
      {all.length === 1 ? 'line ' : 'lines '}
      {lines.map((line, index) => (
        <Fragment key={line}>
          {index > 0 && (index === lines.length - 1 && more === 0 ? ' and ' : ', ')}
          {onShow ? (
            <Link as="button" className={styles.line} title={`Show line ${line}`} onClick={() => onShow(line)}>
              {line}
            </Link>
          ) : (
            line
          )}
        </Fragment>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}
