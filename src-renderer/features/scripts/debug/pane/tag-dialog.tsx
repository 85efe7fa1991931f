import { useEffect, useState } from 'react';
import { QUALITIES, type Quality } from '#domain/tag/quality';
import type { TagDefinition, TagValue } from '#domain/tag/tag';
import { problemOf, refusalOf } from '../../../../client/errors.ts';
import { useWorkbench } from '../../../../frame/workbench.ts';
import { editedText, typedValue } from '../../../../support/typed-value.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { Button, Field, Input, Select, Textarea } from '../../../../ui/fluent.ts';
import type { UsedTag } from '../model/debug-client.ts';
import styles from './debug.module.css';

interface Props {
  tag: UsedTag;
  now: TagValue | undefined;
  onClose: () => void;
}

/** Writes a tag of the paused run, forces its quality, or releases both: the next read of the script sees it. */
export function TagDialog({ tag, now, onClose }: Props) {
  const { client, notify } = useWorkbench();
  const [definition, setDefinition] = useState<TagDefinition | null>(null);
  const [text, setText] = useState<string | null>(null);
  const [quality, setQuality] = useState<Quality>('BadCommunicationError');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const end = new AbortController();
    client.tags.definition({ path: tag.path }, { signal: end.signal }).then(setDefinition, (error: unknown) => {
      if (!end.signal.aborted) setProblem(problemOf(error).message);
    });
    return () => end.abort();
  }, [client, tag.path]);

  const type = definition?.type ?? 'String';
  const shown = text ?? (now && definition ? editedText(now.value, definition.type) : '');
  const typed = typedValue(shown, type);
  const isMachine = definition?.kind === 'machine';
  const scope = definition?.kind === 'storage' || definition?.kind === 'script' ? tag : null;
  const attempt = async (done: string, work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
      notify({ intent: 'success', title: done, body: tag.path });
      onClose();
    } catch (error) {
      setProblem(refusalOf(error));
      setBusy(false);
    }
  };
  const write = async () => {
    if (!typed.ok) return;
    await attempt('Written', () =>
      client.tags.set({
        items: [{ tag: tag.path, value: typed.value }],
        ...(scope && { diagram: scope.diagram, location: scope.location }),
      }),
    );
  };
  const reason = problem ?? (typed.ok ? null : typed.reason);
  return (
    <FormDialog
      title={tag.path}
      action={isMachine ? 'Override the signal' : 'Write'}
      disabled={definition === null || !typed.ok}
      busy={busy}
      changed={text !== null}
      className={styles.form}
      onSubmit={write}
      onClose={onClose}
    >
      <Field label={`Value (${type})`} {...(reason === null ? {} : { validationMessage: reason })}>
        {type === 'Boolean' ? (
          <Select value={shown} onChange={(_event, { value }) => setText(value)}>
            <option value="true">true</option>
            <option value="false">false</option>
            <option value="">no value</option>
          </Select>
        ) : type === 'Json' ? (
          <Textarea rows={6} className={styles.code} value={shown} onChange={(_event, { value }) => setText(value)} />
        ) : (
          <Input value={shown} onChange={(_event, { value }) => setText(value)} />
        )}
      </Field>
      {isMachine && (
        <>
          <Field label="Quality to force">
            <div className={styles.force}>
              <Select
                aria-label="Quality to force"
                value={quality}
                onChange={(_event, { value }) => setQuality(QUALITIES.find((name) => name === value) ?? quality)}
              >
                {QUALITIES.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </Select>
              <Button
                onClick={() => void attempt('Quality forced', () => client.tags.force({ path: tag.path, quality }))}
              >
                Force
              </Button>
            </div>
          </Field>
          {(now?.overridden === true || now?.forced === true) && (
            <div className={styles.force}>
              {now.overridden === true && (
                <Button
                  onClick={() => void attempt('Override released', () => client.tags.release({ paths: [tag.path] }))}
                >
                  Release override
                </Button>
              )}
              {now.forced === true && (
                <Button
                  onClick={() =>
                    void attempt('Forced quality cleared', () => client.tags.force({ path: tag.path, quality: null }))
                  }
                >
                  Clear forced quality
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
}
