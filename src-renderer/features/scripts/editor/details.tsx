import { useMemo, useState } from 'react';
import { SCRIPT_LIMITS, problemOfName } from '#domain/run/script';
import { Button, Field, Input, Link } from '../../../ui/fluent.ts';
import { ChevronDownRegular, ChevronRightRegular, HistoryRegular, SaveRegular } from '../../../ui/icons.ts';
import { remember, remembered } from '../../../support/local-storage.ts';
import { useStore } from '../../../support/store.ts';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';
import { type Doc, isDirty, isSaved, titleOf } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './editor.module.css';
import { useQuery } from '../../../client/use-query.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { PathCell } from '../../../ui/text/path-cell.tsx';
import { pathTracks } from '../../../ui/text/path-parts.ts';

interface Props {
  doc: Doc;
  active: boolean;
  onSave: () => void;
  onHistory: () => void;
}

/** The group, name and description of the script, collapsed to one line. */
export function Details({ doc, active, onSave, onHistory }: Props) {
  const { model } = useScripts();
  const groups = useStore(model.store, (state) => state.groups);
  const [open, setOpen] = useState(() => remembered('details.open', false));
  const { group, name, description } = doc.text;
  const toggle = () => {
    remember('details.open', !open);
    setOpen(!open);
  };
  const problem = (what: 'group' | 'name', value: string) => {
    // A new script gets its names when it is saved.
    const text = doc.saved || value.trim() !== '' ? problemOfName(what, value) : null;
    return text === null ? {} : { validationMessage: text };
  };
  const tooLong = description.length > SCRIPT_LIMITS.description;

  return (
    <div className={styles.details}>
      <div className={styles.detailsLine}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={open}
          aria-controls="script-details"
          title={`${group}\n${name}`.trim()}
          onClick={toggle}
        >
          {open ? <ChevronDownRegular aria-hidden /> : <ChevronRightRegular aria-hidden />}
          <span className={styles.crumbGroup}>{group === '' ? 'No group yet' : group}</span>
          <span aria-hidden="true">/</span>
          <strong>{titleOf(doc.text)}</strong>
        </button>
        {!open && description !== '' && (
          <span className={styles.crumbDescription} title={description}>
            {description}
          </span>
        )}
        <span className={styles.spring} />
        <span className={styles.version}>
          {doc.saved ? `Version ${doc.saved.version}` : 'Never saved'}
          {isDirty(doc) ? ', changed' : ''}
        </span>
        <Button
          size="small"
          appearance="subtle"
          icon={<HistoryRegular />}
          disabledFocusable={!isSaved(doc)}
          aria-keyshortcuts="Alt+H"
          title="Every saved version (Alt+H)"
          onClick={onHistory}
        >
          History
        </Button>
        <Button
          size="small"
          appearance="subtle"
          icon={<SaveRegular />}
          disabledFocusable={!isDirty(doc) && doc.saved !== null && !doc.deleted}
          aria-keyshortcuts="Control+S"
          title="Save (Ctrl+S)"
          onClick={onSave}
        >
          Save
        </Button>
      </div>
      <div id="script-details" className={styles.detailsForm} hidden={!open}>
        {open && (
          <>
            <Field label="Script Group" required size="small" {...problem('group', group)}>
              <SuggestField
                isOftenNew
                size="small"
                value={group}
                choices={groups}
                onChange={(value) => model.edit(doc.key, { group: value })}
              />
            </Field>
            <Field label="Name" required size="small" {...problem('name', name)}>
              <Input size="small" value={name} onChange={(_event, { value }) => model.edit(doc.key, { name: value })} />
            </Field>
            <Field
              className={styles.wide}
              label="Description"
              size="small"
              {...(tooLong ? { validationMessage: `At most ${SCRIPT_LIMITS.description} characters` } : {})}
            >
              <Input
                size="small"
                value={description}
                placeholder="What the script is for"
                onChange={(_event, { value }) => model.edit(doc.key, { description: value })}
              />
            </Field>
            {isSaved(doc) && <ScriptUsage key={doc.scriptId} id={doc.scriptId} active={active} />}
          </>
        )}
      </div>
    </div>
  );
}

const NO_USES = { tags: [], scripts: [], rules: [], diagrams: [], tests: [] };

interface ScriptUsageProps {
  id: number;
  active: boolean;
}

/**
 * The tags that run a script, with the rules and Diagrams that need them, and its tests; updated while the view is
 * visible.
 */
function ScriptUsage({ id, active }: ScriptUsageProps) {
  const { client, show } = useWorkbench();
  const query = useMemo(
    () => ({
      read: (signal: AbortSignal) => client.scripts.usage({ id }, { signal }),
      changes: [
        (signal: AbortSignal) => client.tags.changes(undefined, { signal }),
        (signal: AbortSignal) => client.diagrams.changes(undefined, { signal }),
        (signal: AbortSignal) => client.scripts.changes(undefined, { signal }),
        (signal: AbortSignal) => client.rules.changes(undefined, { signal }),
        (signal: AbortSignal) => client.scriptTests.changes(undefined, { signal }),
      ],
    }),
    [client, id],
  );
  const { data, problem } = useQuery(query, active);
  if (!data && !problem) return null;
  const { tags, scripts, rules, diagrams, tests } = problem || !data ? NO_USES : data;
  const tracks = pathTracks(
    tags.map(({ path }) => path),
    { icon: false },
  );
  return (
    <section className={styles.usage} aria-label="Where used">
      <span className={styles.usageHeading}>
        {problem
          ? `References could not be checked: ${problem.message}`
          : tags.length === 0
            ? 'No tag runs this script.'
            : 'Run by'}
      </span>
      {tags.map(({ path, member }) => (
        <span key={`${path} ${member}`} className={styles.usageTag}>
          <Link as="button" className={styles.usagePath} onClick={() => show('tags', path)}>
            <PathCell path={path} tracks={tracks} />
          </Link>
          <span className={styles.usageHeading}>{member}</span>
        </span>
      ))}
      {scripts.length + rules.length + diagrams.length > 0 && <span className={styles.usageHeading}>used by</span>}
      {scripts.map(({ id: script, group, name }) => (
        <Link
          key={`script ${script}`}
          as="button"
          className={styles.usagePath}
          onClick={() => show('scripts', String(script))}
        >
          {group}/{name} (script)
        </Link>
      ))}
      {rules.map(({ id: rule, name }) => (
        <Link
          key={`rule ${rule}`}
          as="button"
          className={styles.usagePath}
          onClick={() => show('aggregations', String(rule))}
        >
          {name} (rule)
        </Link>
      ))}
      {diagrams.map(({ id: diagram, name }) => (
        <Link
          key={`diagram ${diagram}`}
          as="button"
          className={styles.usagePath}
          onClick={() => show('diagrams', name)}
        >
          {name} (Diagram)
        </Link>
      ))}
      {tests.length > 0 && (
        <span className={styles.usageHeading}>
          {tests.length} {tests.length === 1 ? 'test' : 'tests'}
        </span>
      )}
    </section>
  );
}
