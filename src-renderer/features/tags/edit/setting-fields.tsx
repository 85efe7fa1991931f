import { useEffect, useState } from 'react';
import { isAbort } from '../../../client/errors.ts';
import { TagPathField } from '../../../frame/tag-path-field.tsx';
import { useWorkbench } from '../../../frame/workbench.ts';
import { pickText } from '../../../support/files.ts';
import type { ViewScope } from '../../../client/live-values.ts';
import { Button, Field } from '../../../ui/fluent.ts';
import { fieldsOf } from './kind-fields.ts';
import { SignalPreview } from './signal-preview.tsx';
import { SettingInput } from './setting-input.tsx';
import type { TagForm } from './tag-form.ts';
import { TrySql } from './try-sql.tsx';
import styles from './edit.module.css';

interface Props {
  form: TagForm;
  problemAt: (name: string, text: string) => string | undefined;
  scope: ViewScope;
  onChange: (change: Partial<TagForm>) => void;
}

/** The settings of the selected kind, with their helpers. */
export function SettingFields({ form, problemAt, scope, onChange }: Props) {
  const { kind, type, texts } = form;
  const { client } = useWorkbench();
  const scripts = useScriptNames(kind === 'script');
  const completeTags = async (typed: string) => {
    const { tags } = await client.tags.complete({ text: typed, limit: 30 });
    return tags.map(({ path }) => path);
  };
  const put = (name: string, text: string) => onChange({ texts: { ...texts, [name]: text } });
  const signal = texts['signal.kind'] ?? '';
  return (
    <>
      {fieldsOf(kind, signal).map((field) => {
        const text = texts[field.name] ?? '';
        return (
          <SettingInput
            key={field.name}
            field={field}
            type={type}
            text={text}
            problem={problemAt(field.name, text)}
            scripts={scripts}
            completeTags={completeTags}
            onChange={(next) => put(field.name, next)}
          />
        );
      })}
      {kind === 'machine' && signal === 'csv' && <Recording form={form} onText={(text) => put('signal.csv', text)} />}
      {kind === 'machine' && <SignalPreview form={form} />}
      {kind === 'db' && (
        <TrySql
          path={form.path}
          type={type}
          readSql={texts['readSql'] ?? ''}
          writeSql={texts['writeSql'] ?? ''}
          scope={scope}
        />
      )}
      {kind === 'calculation' && (
        <AddTag onAdd={(path) => put('expression', `${texts['expression'] ?? ''}tag(${quoted(path)})`)} />
      )}
    </>
  );
}

/** The path as a JavaScript literal. */
const quoted = (path: string) => (path.includes("'") || path.includes('\\') ? JSON.stringify(path) : `'${path}'`);

function AddTag({ onAdd }: { onAdd: (path: string) => void }) {
  const [path, setPath] = useState('');
  const add = () => {
    if (path.trim() !== '') onAdd(path.trim());
    setPath('');
  };
  return (
    <div className={`${styles.tryBar} ${styles.wide}`}>
      <Field label="Tag to add to the expression" size="small" style={{ flex: 1 }}>
        <TagPathField value={path} placeholder="Words of the path" onChange={setPath} />
      </Field>
      <Button size="small" onClick={add}>
        Add
      </Button>
    </div>
  );
}

function Recording({ form, onText }: { form: TagForm; onText: (text: string) => void }) {
  const { notify } = useWorkbench();
  const kept = Array.isArray(form.rows) ? form.rows.length : 0;
  const take = async () => {
    try {
      const file = await pickText('.csv,.txt');
      if (file) onText(file.text);
    } catch (error) {
      notify({ intent: 'error', title: 'The file could not be read', error });
    }
  };
  return (
    <div className={`${styles.tryBar} ${styles.wide}`}>
      <Button size="small" onClick={() => void take()}>
        Load the recording from a file…
      </Button>
      {kept > 0 && (form.texts['signal.csv'] ?? '') === '' && (
        <span className={styles.hint}>Its {kept} recorded rows are kept.</span>
      )}
    </div>
  );
}

/** All scripts as `Group/Name`. */
function useScriptNames(wanted: boolean): readonly string[] {
  const { client, notify } = useWorkbench();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!wanted) return undefined;
    const end = new AbortController();
    client.scripts.list(undefined, { signal: end.signal }).then(
      ({ scripts }) => setNames(scripts.map(({ group, name }) => `${group}/${name}`)),
      (error: unknown) => {
        if (isAbort(error)) return;
        notify({ intent: 'error', title: 'The scripts could not be loaded', error });
      },
    );
    return () => end.abort();
  }, [client, notify, wanted]);
  return names;
}
