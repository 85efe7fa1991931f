import { Link } from '@fluentui/react-components';
import { useMemo } from 'react';
import { useAnswer } from '../../../client/use-answer.ts';
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
  const question = useMemo(
    () => ({
      ask: (signal: AbortSignal) => client.scripts.usage({ id }, { signal }),
      changes: [(signal: AbortSignal) => client.tags.changes(undefined, { signal })],
    }),
    [client, id],
  );
  const { answer, problem } = useAnswer(question, active);
  if (!answer && !problem) return null;
  const tags = problem ? [] : (answer?.tags ?? []);
  return (
    <section className={styles.usage} aria-label="Where used">
      <span className={styles.heading}>
        {problem
          ? `References could not be checked: ${problem.message}`
          : tags.length === 0
            ? 'No tag runs this script.'
            : 'Run by'}
      </span>
      {tags.map(({ path, member }) => (
        <Link key={`${path} ${member}`} as="button" className={styles.path} onClick={() => show('tags', path)}>
          <TagPath path={path} /> ({member})
        </Link>
      ))}
    </section>
  );
}
