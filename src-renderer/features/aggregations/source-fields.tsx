import { TagPathField } from '../../frame/tag-path-field.tsx';
import { ChoiceField } from '../../ui/fields/choice-field.tsx';
import { Button, Field, Input } from '../../ui/fluent.ts';
import { AddRegular, DismissRegular } from '../../ui/icons.ts';
import { withTag, withTagLine, withoutTagLine } from './model/rule-form.ts';
import type { RuleForm } from './model/rule-form.ts';
import { SAMPLING_CHOICES, WINDOW_CHOICES } from './rule-choices.ts';
import type { Issues } from '../../client/issues.ts';
import { validationOf } from '../../drafted/validation.ts';
import styles from './editor.module.css';

interface Props {
  form: RuleForm;
  issues: Issues;
  onChange: (form: RuleForm) => void;
}

/** The source tags of a rule. */
export function TagFields({ form, issues, onChange }: Props) {
  const whole = issues.get('tags');
  return (
    <fieldset>
      <legend>Source tags</legend>
      {form.tags.map(({ key, path }, place) => (
        <div key={key} className={styles.tag}>
          <Field size="small" {...validationOf(issues.get(`tags.${key}`))}>
            <TagPathField
              aria-label={`Source tag ${place + 1}`}
              placeholder="Path of a tag, or some words of it"
              value={path}
              onChange={(next) => onChange(withTag(form, key, next))}
            />
          </Field>
          <Button
            size="small"
            appearance="subtle"
            icon={<DismissRegular />}
            aria-label={`Remove source tag ${place + 1}`}
            disabledFocusable={form.tags.length === 1}
            onClick={() => onChange(withoutTagLine(form, key))}
          />
        </div>
      ))}
      {whole !== undefined && <Field {...validationOf(whole)}>{null}</Field>}
      <Button size="small" appearance="subtle" icon={<AddRegular />} onClick={() => onChange(withTagLine(form))}>
        Add source tag
      </Button>
    </fieldset>
  );
}

/** When samples are taken, and when their window closes. */
export function WindowFields({ form, issues, onChange }: Props) {
  const set = (change: Partial<RuleForm>) => onChange({ ...form, ...change });
  return (
    <div className={styles.two}>
      <Field label="Sampling" size="small">
        <ChoiceField choices={SAMPLING_CHOICES} value={form.sampling} onChange={(sampling) => set({ sampling })} />
      </Field>
      {form.sampling === 'interval' ? (
        <Field label="Sample every" size="small" {...validationOf(issues.get('sampling.everyMs'))}>
          <Input
            size="small"
            value={form.samplingEvery}
            onChange={(_event, { value }) => set({ samplingEvery: value })}
          />
        </Field>
      ) : (
        <span />
      )}
      <Field label="Window" size="small">
        <ChoiceField choices={WINDOW_CHOICES} value={form.window} onChange={(window) => set({ window })} />
      </Field>
      {form.window === 'tumbling' && (
        <Field label="Window of" size="small" {...validationOf(issues.get('window.everyMs'))}>
          <Input size="small" value={form.windowEvery} onChange={(_event, { value }) => set({ windowEvery: value })} />
        </Field>
      )}
      {form.window === 'count' && (
        <Field label="Samples of the first tag" size="small" {...validationOf(issues.get('window.samples'))}>
          <Input
            size="small"
            inputMode="numeric"
            value={form.windowSamples}
            onChange={(_event, { value }) => set({ windowSamples: value })}
          />
        </Field>
      )}
      {form.window === 'while' && (
        <Field label="Boolean tag" size="small" {...validationOf(issues.get('window.tag'))}>
          <TagPathField
            placeholder="Path of a Boolean tag"
            value={form.windowTag}
            onChange={(windowTag) => set({ windowTag })}
          />
        </Field>
      )}
    </div>
  );
}
