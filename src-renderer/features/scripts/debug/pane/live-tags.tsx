import { useCallback, useEffect, useState } from 'react';
import { isDefaultScope, scopeName } from '#domain/tag/scope';
import type { TagValue } from '#domain/tag/tag';
import { follow } from '../../../../client/follow.ts';
import { useWorkbench } from '../../../../frame/workbench.ts';
import { clock } from '../../../../support/moment.ts';
import { painted } from '../../../../support/painted.ts';
import { shownAs } from '../../../../support/shown-value.ts';
import { useStore } from '../../../../support/store.ts';
import { Button } from '../../../../ui/fluent.ts';
import { EditRegular } from '../../../../ui/icons.ts';
import { QualityMark } from '../../../../ui/text/quality.tsx';
import { TagPath } from '../../../../ui/text/tag-path.tsx';
import { useScripts } from '../../scripts-context.ts';
import type { UsedTag } from '../model/debug-client.ts';
import { TagDialog } from './tag-dialog.tsx';
import { useEachStop } from './use-each-stop.ts';
import styles from './debug.module.css';

/** The tags that the paused run uses: what it read or wrote, and what they are now. */
export function LiveTags({ active }: { active: boolean }) {
  const { client, show } = useWorkbench();
  const { debug, formats } = useScripts();
  const { debugger: session } = debug;
  const isPaused = useStore(session.shown, (state) => state.phase === 'paused');
  const [tags, setTags] = useState<readonly UsedTag[]>([]);
  const [values, setValues] = useState<ReadonlyMap<string, TagValue>>(new Map());
  const [changing, setChanging] = useState<UsedTag | null>(null);
  const shownFormats = useStore(formats);

  const read = useCallback(
    async (frame: number | null, signal: AbortSignal) => {
      // The variables are shown first.
      await painted();
      // The tags of the last pause stay while the run continues.
      if (signal.aborted || session.store.get().phase !== 'paused') return;
      const used = session.ask('tagwright/tags', frame === null ? {} : { frameId: frame });
      const latest = await used.then(
        (answer) => latestOf(answer.tags),
        () => [],
      );
      if (!signal.aborted) setTags((before) => (before.length + latest.length === 0 ? before : latest));
    },
    [session],
  );
  useEachStop(session, read);

  const watched = JSON.stringify(scopesOf(tags));
  useEffect(() => {
    if (!active || !isPaused) return undefined;
    const end = new AbortController();
    const scopes: ReturnType<typeof scopesOf> = JSON.parse(watched);
    for (const { diagram, location, paths } of scopes) {
      void follow(
        (signal) => client.tags.watch({ paths, diagram, location }, { signal }),
        (changed) =>
          setValues((all) => {
            const next = new Map(all);
            for (const value of changed) next.set(keyOf({ path: value.path, diagram, location }), value);
            return next;
          }),
        end.signal,
      );
    }
    return () => end.abort();
  }, [client, active, isPaused, watched]);

  if (tags.length === 0) return <p className={styles.hint}>The script has not read or written a tag yet.</p>;
  return (
    <>
      <ul className={styles.tags} aria-label="Tags of the paused run">
        {tags.map((tag) => {
          const now = values.get(keyOf(tag));
          const format = shownFormats.get(tag.path);
          return (
            <li key={keyOf(tag)} className={styles.tag}>
              <button
                type="button"
                className={styles.tagPath}
                aria-label={tag.path}
                title={`${tag.path}${scopeText(tag)}\nShow the tag`}
                onClick={() => show('tags', tag.path)}
              >
                <TagPath path={tag.path} />
              </button>
              <Button
                size="small"
                appearance="subtle"
                icon={<EditRegular />}
                aria-label={`Write or force ${tag.path}`}
                title="Write, force or release"
                onClick={() => setChanging(tag)}
              />
              <div className={styles.tagNow}>
                <span className={styles.was} title={scopeText(tag)}>
                  {tag.access === 'write' ? 'wrote' : 'read'} {shownAs(tag.value, format, 60)} at{' '}
                  {clock(new Date(tag.at))}
                  {tag.quality !== 'Good' && ` (${tag.quality})`}
                </span>
                {now && (
                  <>
                    <span className={styles.now} data-differs={differs(tag, now)}>
                      now {shownAs(now.value, format, 60)}
                    </span>
                    <QualityMark value={now} compact />
                  </>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {changing && <TagDialog tag={changing} now={values.get(keyOf(changing))} onClose={() => setChanging(null)} />}
    </>
  );
}

const keyOf = ({ path, diagram, location }: Pick<UsedTag, 'path' | 'diagram' | 'location'>): string =>
  JSON.stringify([path, diagram, location]);

const differs = (tag: UsedTag, now: TagValue): boolean => JSON.stringify(tag.value) !== JSON.stringify(now.value);

const scopeText = (tag: UsedTag): string => (isDefaultScope(tag) ? '' : `\n${scopeName(tag)}`);

/** The last access of each tag in each scope, the latest first. */
function latestOf(tags: readonly UsedTag[]): UsedTag[] {
  return [...new Map(tags.map((tag) => [keyOf(tag), tag])).values()].toReversed();
}

/** The tags by scope, each in one subscription. */
function scopesOf(tags: readonly UsedTag[]): { diagram: string; location: string; paths: string[] }[] {
  const scopes = Map.groupBy(tags, ({ diagram, location }) => JSON.stringify([diagram, location]));
  return [...scopes.values()].map((list) => ({
    diagram: list[0]?.diagram ?? '',
    location: list[0]?.location ?? '',
    paths: [...new Set(list.map(({ path }) => path))],
  }));
}
