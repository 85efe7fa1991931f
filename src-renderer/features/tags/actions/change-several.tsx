import { useState } from 'react';
import { isNumeric, problemOfFormat } from '#domain/tag/number-format';
import type { TagDefinition, TagType } from '#domain/tag/tag';
import { lossesSummary, TAG_TYPES } from '#domain/tag/tag';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Checkbox, Dropdown, Field, Input, MessageBar, MessageBarBody, Option } from '../../../ui/fluent.ts';
import { sentence } from '../../../client/issues.ts';
import { FormatField } from '../edit/format-field.tsx';
import { saveAll } from './remove-tags.ts';
import styles from './actions.module.css';

interface Props {
  tags: readonly TagDefinition[];
  onClose: () => void;
}

/** Changes the unit, format, description and type of several tags together: all or none. */
export function ChangeSeveral({ tags, onClose }: Props) {
  const { client, notify } = useWorkbench();
  const [unit, setUnit] = useState<string | null>(null);
  const [format, setFormat] = useState<string | null>(null);
  const [description, setDescription] = useState<string | null>(null);
  const [type, setType] = useState<TagType | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  /** The stored values that the new type drops, for people; and whether that was shown. */
  const [lost, setLost] = useState<string | null>(null);
  const [accepted, setAccepted] = useState(false);

  const changeType = (next: TagType | null) => {
    setType(next);
    setLost(null);
    setAccepted(false);
  };

  // Only numbers have a format: other tags keep none.
  const numbers = tags.filter((tag) => isNumeric(type ?? tag.type)).length;
  const typed = format?.trim() ?? '';
  const formatProblem = typed === '' ? null : problemOfFormat(typed);

  const save = async () => {
    if (saving || formatProblem !== null) return;
    setSaving(true);
    const changed = tags.map((tag): TagDefinition => {
      const { format: former = '', ...others } = tag;
      const next = isNumeric(type ?? tag.type) ? (format === null ? former : typed) : '';
      return {
        ...others,
        ...(unit === null ? {} : { unit: unit.trim() }),
        ...(next === '' ? {} : { format: next }),
        ...(description === null ? {} : { description }),
        ...(type === null ? {} : { type }),
      };
    });
    try {
      const { losses } = accepted
        ? { losses: [] }
        : await client.tags.losses({ format: 'json', text: JSON.stringify(changed) });
      if (losses.length > 0) {
        setLost(lossesSummary(losses));
        setAccepted(true);
        setSaving(false);
        return;
      }
      await saveAll(client, changed);
      onClose();
      notify({
        intent: 'success',
        title: `${tags.length} tags changed`,
        ...(type === null
          ? {
              action: {
                label: 'Undo',
                run: () =>
                  saveAll(client, tags).catch((error: unknown) =>
                    notify({ intent: 'error', title: 'Undo failed', error }),
                  ),
              },
            }
          : {}),
      });
    } catch (error) {
      setRefusal(problemOf(error).message);
      setSaving(false);
    }
  };

  const isChanged = unit !== null || format !== null || description !== null || type !== null;
  return (
    <FormDialog
      title={`Edit ${tags.length} tags`}
      action={lost === null ? 'Change' : 'Change and drop them'}
      className={styles.column}
      changed={isChanged}
      disabled={saving || !isChanged || formatProblem !== null}
      onSubmit={save}
      onClose={onClose}
    >
      <p className={styles.hint}>Unselected properties are not changed.</p>
      <div className={styles.row}>
        <Checkbox
          label="Unit"
          checked={unit !== null}
          onChange={(_event, { checked }) => setUnit(checked === true ? (tags[0]?.unit ?? '') : null)}
        />
        <Input
          size="small"
          aria-label="New unit"
          disabled={unit === null}
          value={unit ?? ''}
          onChange={(_event, { value }) => setUnit(value)}
        />
      </div>
      <div className={styles.row}>
        <Checkbox
          label="Format"
          disabled={numbers === 0}
          checked={format !== null}
          onChange={(_event, { checked }) => setFormat(checked === true ? (formatIn(tags) ?? '') : null)}
        />
        <FormatField
          aria-label="New format"
          disabled={format === null}
          value={format ?? ''}
          example={null}
          problem={formatProblem === null ? undefined : sentence(formatProblem)}
          note={format === null || numbers === tags.length ? undefined : `Applies only to the ${numbers} numeric tags.`}
          onChange={setFormat}
        />
      </div>
      <div className={styles.row}>
        <Checkbox
          label="Description"
          checked={description !== null}
          onChange={(_event, { checked }) => setDescription(checked === true ? (tags[0]?.description ?? '') : null)}
        />
        <Input
          size="small"
          aria-label="New description"
          disabled={description === null}
          value={description ?? ''}
          onChange={(_event, { value }) => setDescription(value)}
        />
      </div>
      <div className={styles.row}>
        <Checkbox
          label="Type"
          checked={type !== null}
          onChange={(_event, { checked }) => changeType(checked === true ? (tags[0]?.type ?? 'Double') : null)}
        />
        <Field {...(type === null ? {} : { hint: "Values that can't be converted are dropped; you can't undo this." })}>
          <Dropdown
            size="small"
            aria-label="New type"
            disabled={type === null}
            value={type ?? ''}
            selectedOptions={type === null ? [] : [type]}
            onOptionSelect={(_event, { optionValue }) =>
              changeType(TAG_TYPES.find((name) => name === optionValue) ?? type)
            }
          >
            {TAG_TYPES.map((name) => (
              <Option key={name}>{name}</Option>
            ))}
          </Dropdown>
        </Field>
      </div>
      {lost !== null && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>The new type drops {lost}. You can&apos;t undo this. Nothing was changed yet.</MessageBarBody>
        </MessageBar>
      )}
      {refusal !== null && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{refusal}</MessageBarBody>
        </MessageBar>
      )}
    </FormDialog>
  );
}

/** The format of the first tag that has one. */
const formatIn = (tags: readonly TagDefinition[]) => tags.find(({ format }) => format !== undefined)?.format;
