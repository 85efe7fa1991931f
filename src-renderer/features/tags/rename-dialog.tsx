import { useState } from 'react';
import { problemOfTagPath } from '#domain/tag/tag-path';
import type { RenamedUses, TagUsage, UseCounts } from '#domain/tag/usage';
import { countsText, isUsed } from '#domain/tag/usage';
import { problemOf } from '../../client/errors.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Checkbox, Field, Input } from '../../ui/fluent.ts';
import { UsageLists } from './usage-lists.tsx';
import styles from './usage.module.css';

interface Props {
  path: string;
  /** The references to the tag; null while they are unknown. */
  usage: TagUsage | null;
  onClose: () => void;
}

/** Asks for a new path, shows the references to the tag, and offers to update them. */
export function RenameDialog({ path, usage, onClose }: Props) {
  const { client, notify, show } = useWorkbench();
  const [text, setText] = useState(path);
  const [wanted, setWanted] = useState(true);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [renaming, setRenaming] = useState(false);
  const newPath = text.trim();
  const problem = refusal ?? (newPath === path ? null : problemOfTagPath(newPath));
  const { changed, staying } = splitOf(usage);

  const rename = async () => {
    if (renaming || problem !== null || newPath === path) return;
    setRenaming(true);
    try {
      const done = await client.tags.rename({ path, newPath, updateScripts: wanted && changed !== null });
      onClose();
      show('tags', newPath);
      const also = countsText(countsOf(done));
      notify({
        intent: 'success',
        title: 'Renamed',
        body: also === '' ? newPath : `${newPath}; also changed: ${also}`,
      });
    } catch (error) {
      setRefusal(problemOf(error).message);
      setRenaming(false);
    }
  };

  return (
    <FormDialog
      title="Rename the tag"
      action="Rename"
      disabled={renaming || newPath === path}
      width={620}
      className={styles.dialog}
      onSubmit={rename}
      onClose={onClose}
    >
      <Field label="New path" required {...(problem === null ? {} : { validationMessage: problem })}>
        <Input
          autoFocus
          className={styles.path}
          value={text}
          onChange={(_event, { value }) => {
            setText(value);
            setRefusal(null);
          }}
        />
      </Field>
      {changed && (
        <div>
          <Checkbox
            label="Update these references (each script gets a new version)"
            checked={wanted}
            onChange={(_event, { checked }) => setWanted(checked === true)}
          />
          <UsageLists usage={changed} />
        </div>
      )}
      {staying && (
        <div>
          <p className={styles.hint}>Change these references yourself:</p>
          <UsageLists usage={staying} />
        </div>
      )}
    </FormDialog>
  );
}

/** The changes of a rename, and what it does not change: drafts, and scripts with a syntax error. */
function splitOf(usage: TagUsage | null): { changed: TagUsage | null; staying: Partial<TagUsage> | null } {
  if (!usage) return { changed: null, staying: null };
  const { scripts, drafts } = usage;
  const changed = { ...usage, scripts: scripts.filter(({ exact }) => exact), drafts: [] };
  const staying = { scripts: scripts.filter(({ exact }) => !exact), drafts };
  return {
    changed: isUsed(changed) ? changed : null,
    staying: staying.scripts.length + drafts.length > 0 ? staying : null,
  };
}

function countsOf({ scripts, contexts, tags, rules, diagrams, tests, mocks }: RenamedUses): Partial<UseCounts> {
  return {
    scripts: scripts.length,
    contexts: contexts.length,
    tags: tags.length,
    rules: rules.length,
    diagrams: diagrams.length,
    tests: tests.length,
    mocks: mocks.length,
  };
}
