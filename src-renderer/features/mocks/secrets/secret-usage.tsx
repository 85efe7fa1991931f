import { useMemo } from 'react';
import type { SecretUsage } from '#domain/tag/usage';
import { useQuery } from '../../../client/use-query.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { ScriptUses, Use, Uses } from '../../../ui/lists/uses.tsx';
import styles from '../mocks.module.css';

/** Whether there are references to it. */
export const isUsed = ({ scripts, drafts, mocks, settings }: SecretUsage): boolean =>
  scripts.length + drafts.length + mocks.length + settings.length > 0;

interface Props {
  name: string;
  active: boolean;
}

/** The references to a secret, with links; updated when scripts or settings change. */
export function SecretUsageSection({ name, active }: Props) {
  const { client, show } = useWorkbench();
  const query = useMemo(
    () => ({
      read: (signal: AbortSignal) => client.secrets.usage({ name }, { signal }),
      // Mocks also send a change for every hit; references in mocks change in the tab next to this one.
      changes: [
        (signal: AbortSignal) => client.scripts.changes(undefined, { signal }),
        (signal: AbortSignal) => client.settings.changes(undefined, { signal }),
      ],
    }),
    [client, name],
  );
  const { data, problem } = useQuery(query, active);
  const usage = problem ? null : data;
  return (
    <section className={styles.usedBy} aria-label="Used by" data-pane="mocks-secret-usage">
      <h2>Used by</h2>
      {problem && <p className={styles.quiet}>References could not be checked: {problem.message}</p>}
      {usage !== null && !isUsed(usage) && (
        <p className={styles.quiet}>
          Not referenced by any script, mock or setting. Placeholders built at run time can't be detected.
        </p>
      )}
      {usage !== null && isUsed(usage) && <SecretUses usage={usage} onShow={show} />}
    </section>
  );
}

interface UsesProps {
  usage: SecretUsage;
  /** Opens a script, a mock or a setting; without it, only the names are shown. */
  onShow?: (view: string, what: string, line?: number) => void;
}

/** The scripts, drafts, mocks and settings with references to a secret, with their lines or members. */
export function SecretUses({ usage: { scripts, drafts, mocks, settings }, onShow }: UsesProps) {
  return (
    <Uses>
      <ScriptUses scripts={scripts} drafts={drafts} onShow={onShow} />
      {mocks.map(({ id, name, members }) => (
        <Use key={`mock ${id}`} text={name} onShow={onShow && (() => onShow('mocks', `mock:${id}`))}>
          mock, {members.join(', ')}
        </Use>
      ))}
      {settings.map((key) => (
        <Use key={`setting ${key}`} text={key} onShow={onShow && (() => onShow('settings', key))}>
          setting
        </Use>
      ))}
    </Uses>
  );
}
