import { useState } from 'react';
import type { FormEvent } from 'react';
import type { TagDefinition } from '#domain/tag/tag';
import { refusalOf } from '../../client/errors.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { useLiveValue } from '../../client/live-values.ts';
import type { LiveValues, ViewScope } from '../../client/live-values.ts';
import { editedText, typedValue } from '../../support/typed-value.ts';
import { CodeField } from '../../ui/fields/code-field.tsx';
import { Button, Dropdown, Field, Input, Option, Textarea } from '../../ui/fluent.ts';
import styles from './tags.module.css';

interface Props {
  tag: TagDefinition;
  values: LiveValues;
  scope: ViewScope;
}

/** Writes a value to the tag, in the selected scope if the tag has scopes. */
export function WriteForm({ tag, values, scope }: Props) {
  const { client, notify } = useWorkbench();
  const scoped = tag.kind === 'storage' || tag.kind === 'script';
  const live = useLiveValue(values, tag.path);
  // The first known value, until something is typed; it does not change under the cursor. Empty if the field had the
  // focus before there was one.
  const [first, setFirst] = useState<string | null>(null);
  if (first === null && live) setFirst(editedText(live.value, tag.type));
  const [edited, setText] = useState<string | null>(null);
  const text = edited ?? first ?? '';
  const [target, setTarget] = useState(scope);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [writing, setWriting] = useState(false);
  const typed = typedValue(text, tag.type);
  const problem = refusal ?? (typed.ok ? null : typed.reason);

  const write = async (event: FormEvent) => {
    event.preventDefault();
    if (!typed.ok || writing) return;
    setWriting(true);
    try {
      // The watch shows what readers see now: a forced quality, or another scope, may hide the written value.
      await client.tags.set({ items: [{ tag: tag.path, value: typed.value }], ...(scoped ? target : {}) });
      setRefusal(null);
      notify({ intent: 'success', title: 'Written', body: tag.path });
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setWriting(false);
    }
  };
  const change = (next: string) => {
    setText(next);
    setRefusal(null);
  };

  return (
    <form className={styles.form} aria-label="Write a value" onSubmit={(event) => void write(event)}>
      <h3>Write</h3>
      <Field
        label={`Value (${tag.type})`}
        size="small"
        {...(problem === null ? {} : { validationMessage: problem })}
        onFocus={() => setFirst((known) => known ?? '')}
      >
        {tag.type === 'Boolean' ? (
          <Dropdown
            size="small"
            value={text === '' ? 'no value' : text}
            selectedOptions={[text]}
            onOptionSelect={(_event, { optionValue }) => change(optionValue ?? '')}
          >
            <Option value="true">true</Option>
            <Option value="false">false</Option>
            <Option value="" text="no value">
              no value
            </Option>
          </Dropdown>
        ) : tag.type === 'Json' ? (
          <CodeField language="json" value={text} problem={problem ?? undefined} onChange={change} />
        ) : tag.type === 'Bytes' ? (
          <Textarea
            size="small"
            rows={5}
            resize="vertical"
            spellCheck={false}
            className={styles.code}
            value={text}
            onChange={(_event, { value }) => change(value)}
          />
        ) : (
          <Input
            size="small"
            value={text}
            inputMode={tag.type === 'Int' || tag.type === 'Double' ? 'decimal' : 'text'}
            placeholder={tag.type === 'DateTime' ? '2026-01-31T06:00:00Z' : ''}
            onChange={(_event, { value }) => change(value)}
          />
        )}
      </Field>
      {scoped && (
        <div className={styles.two}>
          <Field label="Diagram" size="small">
            <Input
              size="small"
              value={target.diagram}
              placeholder="default"
              onChange={(_event, { value }) => setTarget({ ...target, diagram: value })}
            />
          </Field>
          <Field label="workcenter" size="small">
            <Input
              size="small"
              value={target.location}
              placeholder="default"
              onChange={(_event, { value }) => setTarget({ ...target, location: value })}
            />
          </Field>
        </div>
      )}
      <div>
        <Button size="small" type="submit" appearance="primary" disabledFocusable={!typed.ok || writing}>
          {tag.kind === 'machine' ? 'Override the signal' : 'Write'}
        </Button>
      </div>
    </form>
  );
}
