import { Link } from '@fluentui/react-components';
import { Fragment } from 'react';
import type { SettingsUse, TagUsage, TextPlace } from '#domain/usage';
import { KIND_NAMES } from './definition-lines.ts';
import styles from './usage.module.css';

const MOST_LINES = 20;

interface Props {
  usage: TagUsage;
  /** Shows a script or a tag; without it they are named only. */
  onShow?: (view: 'scripts' | 'tags' | 'aggregations', what: string, line?: number) => void;
}

/** The scripts, drafts, tags and rules that name a tag, each with the lines or members. */
export function UsageLists({ usage: { scripts, drafts, tags, rules }, onShow }: Props) {
  return (
    <ul className={styles.uses}>
      {scripts.map(({ id, group, name, places, exact }) => (
        <li key={`script ${id}`}>
          <Named
            text={`${group}/${name}`}
            {...(onShow && { onShow: () => onShow('scripts', String(id), places[0]?.line) })}
          />
          <span className={styles.where}>
            <Lines places={places} {...(onShow && { onShow: (line) => onShow('scripts', String(id), line) })} />
            {!exact && ' (it has a syntax error, so it was searched as text)'}
          </span>
        </li>
      ))}
      {drafts.map(({ key, scriptId, group, name, places }) => (
        <li key={`draft ${key}`}>
          <Named
            text={name === '' ? 'a new script' : `${group}/${name}`}
            {...(onShow && scriptId !== null && { onShow: () => onShow('scripts', String(scriptId), places[0]?.line) })}
          />
          <span className={styles.where}>
            not saved,{' '}
            <Lines
              places={places}
              {...(onShow && scriptId !== null && { onShow: (line) => onShow('scripts', String(scriptId), line) })}
            />
          </span>
        </li>
      ))}
      {tags.map((use) => (
        <li key={`tag ${use.path} ${use.member} ${use.line} ${use.column}`}>
          <Named text={use.path} {...(onShow && { onShow: () => onShow('tags', use.path) })} />
          <span className={styles.where}>{placeOf(use)}</span>
        </li>
      ))}
      {rules.map(({ id, name, members }) => (
        <li key={`rule ${id}`}>
          <Named text={name} {...(onShow && { onShow: () => onShow('aggregations', String(id)) })} />
          <span className={styles.where}>rule, {members.join(', ')}</span>
        </li>
      ))}
    </ul>
  );
}

function Named({ text, onShow }: { text: string; onShow?: () => void }) {
  if (!onShow) return <span className={styles.name}>{text}</span>;
  return (
    <Link as="button" className={styles.name} onClick={onShow}>
      {text}
    </Link>
  );
}

/** `line 3`, `lines 3, 9 and 12`; each line is a way to go there. */
function Lines({ places, onShow }: { places: readonly TextPlace[]; onShow?: (line: number) => void }) {
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

function placeOf({ kind, member, line }: SettingsUse): string {
  return `${KIND_NAMES[kind]} tag, ${member}${line === null || line === 1 ? '' : `, line ${line}`}`;
}
