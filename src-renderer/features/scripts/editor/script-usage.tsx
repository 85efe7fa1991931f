import { Link } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import type { SettingsUse } from '#domain/tag/usage';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { follow } from '../../../client/follow.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import styles from './script-usage.module.css';

interface Props {
  id: number;
  active: boolean;
}

/** The tags that run a script when they are read or written, with links; updated while the view is visible. */
export function ScriptUsage({ id, active }: Props) {
  const { client, show } = useWorkbench();
  const [known, setKnown] = useState<{ tags: readonly SettingsUse[]; problem: string | null } | null>(null);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const ask = () =>
      client.scripts.usage({ id }, { signal: end.signal }).then(
        ({ tags }) => setKnown({ tags, problem: null }),
        (error: unknown) => isAbort(error) || setKnown({ tags: [], problem: problemOf(error).message }),
      );
    void ask();
    void follow(
      (signal) => client.tags.changes(undefined, { signal }),
      () => void ask(),
      end.signal,
    );
    return () => end.abort();
  }, [client, id, active]);
  if (!known) return null;
  return (
    <section className={styles.usage} aria-label="Where used">
      <span className={styles.heading}>
        {known.problem !== null
          ? `References could not be checked: ${known.problem}`
          : known.tags.length === 0
            ? 'No tag runs this script.'
            : 'Run by'}
      </span>
      {known.tags.map(({ path, member }) => (
        <Link key={`${path} ${member}`} as="button" className={styles.path} onClick={() => show('tags', path)}>
          <TagPath path={path} /> ({member})
        </Link>
      ))}
    </section>
  );
}
