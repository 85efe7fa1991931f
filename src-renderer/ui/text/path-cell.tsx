import { memo } from 'react';
import type { TagKind } from '#domain/tag/tag';
import { type PathParts, namesOf, partsOfPath, sharedGroups } from './path-parts.ts';
import { KIND_NAMES, KindIcon } from './tag-kind.tsx';
import { TagPath } from './tag-path.tsx';
import styles from './path-cell.module.css';

interface Props {
  path: string;
  /** Grid tracks of all paths in the column, from `pathTracks`: with a place for an icon if there is a kind. */
  tracks: string;
  kind?: TagKind;
  /** Whether the kind is read out, because no other part of the row names it. */
  namesKind?: boolean;
  /** The group whose tags the list shows; paths are relative to it. */
  below?: string;
  /** The path of the row above, if rows are in the order of paths: the groups of both are gray. Default: all groups. */
  above?: string | undefined;
}

/** A path in a list of paths: its groups in one column and its name in another, both aligned in all rows. */
export const PathCell = memo(function PathCell({ path, tracks, kind, namesKind = false, below = '', above }: Props) {
  const { groups, name } = partsOfPath(path, below);
  const shared = above === undefined ? groups.length : sharedGroups(groups, partsOfPath(above, below).groups);
  return (
    <>
      <span className={styles.unseen}>{path}</span>
      {kind && namesKind && <span className={styles.unseen}>{KIND_NAMES[kind]}</span>}
      <span className={styles.path} style={{ gridTemplateColumns: tracks }} aria-hidden>
        {kind && <KindIcon kind={kind} />}
        <Groups groups={groups} shared={shared} />
        <span className={styles.name}>
          <TagPath path={name} />
        </span>
      </span>
    </>
  );
});

interface GroupsProps extends Pick<PathParts, 'groups'> {
  /** The number of characters of `groups` that the row above has as well. */
  shared: number;
}

/** The groups of a path; groups that do not fit are omitted from the start, in whole groups, with one mark. */
function Groups({ groups, shared }: GroupsProps) {
  return (
    <span className={styles.groups} dir="ltr">
      {/* As wide as a letter if all of them are wider than their column, else without a width. */}
      <span className={styles.more} style={{ width: `clamp(0px, calc((${groups.length}ch - 100%) * 999), 1ch)` }}>
        …
      </span>
      <span className={styles.parts}>
        {namesOf(groups).map(({ name, start }) => (
          <span key={start} data-shared={start < shared}>
            <bdi>{name}</bdi>.
          </span>
        ))}
      </span>
    </span>
  );
}
