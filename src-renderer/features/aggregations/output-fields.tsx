import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { Button, Dropdown, Field, Input, Option } from '../../ui/fluent.ts';
import { AddRegular, DismissRegular } from '../../ui/icons.ts';
import { type OutputLine, type RuleForm, withOutput, withOutputLine, withoutOutputLine } from './model/rule-form.ts';
import { ChoiceField } from '../../ui/fields/choice-field.tsx';
import { PathCell } from '../../ui/text/path-cell.tsx';
import { pathTracks } from '../../ui/text/path-parts.ts';
import { REDUCER_CHOICES } from './rule-choices.ts';
import type { Issues } from '../../client/issues.ts';
import { validationOf } from '../../drafted/validation.ts';
import styles from './editor.module.css';

interface Props {
  form: RuleForm;
  issues: Issues;
  onChange: (form: RuleForm) => void;
}

/** The outputs as an editable table; Enter in a name moves to the next one, and adds one at the end. */
export function OutputFields({ form, issues, onChange }: Props) {
  const nextName = (event: KeyboardEvent<HTMLInputElement>, place: number) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const group = event.currentTarget.closest('fieldset');
    // Synchronously, so that the next key goes to the new line.
    if (place === form.outputs.length - 1) flushSync(() => onChange(withOutputLine(form)));
    group?.querySelectorAll<HTMLInputElement>('[data-output-name] input')[place + 1]?.focus();
  };
  const whole = issues.get('outputs');
  return (
    <fieldset className={styles.outputs}>
      <legend>Outputs</legend>
      <div className={styles.outputHead} aria-hidden="true">
        <span>Name</span>
        <span>Function</span>
        <span>Source tag</span>
      </div>
      {form.outputs.map((line, place) => (
        <OutputRow
          key={line.key}
          line={line}
          number={place + 1}
          form={form}
          issues={issues}
          onChange={onChange}
          onKeyDown={(event) => nextName(event, place)}
        />
      ))}
      {whole !== undefined && <Field {...validationOf(whole)}>{null}</Field>}
      <Button size="small" appearance="subtle" icon={<AddRegular />} onClick={() => onChange(withOutputLine(form))}>
        Add output
      </Button>
    </fieldset>
  );
}

const tracksOf = (paths: readonly string[]) => pathTracks(paths, { icon: false });

interface OutputRowProps extends Props {
  line: OutputLine;
  number: number;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

function OutputRow({ line, number, form, issues, onChange, onKeyDown }: OutputRowProps) {
  const { key, name, reducer, tag, state } = line;
  const set = (change: Partial<OutputLine>) => onChange(withOutput(form, key, change));
  const issue = (member: string) => validationOf(issues.get(`outputs.${key}.${member}`));
  const paths = [...new Set([...form.tags.map(({ path }) => path), tag])].filter((path) => path !== '');
  return (
    <div className={styles.output} role="group" aria-label={`Output ${number}`}>
      <Field size="small" {...issue('name')} data-output-name>
        <Input
          size="small"
          aria-label={`Name of output ${number}`}
          value={name}
          onKeyDown={onKeyDown}
          onChange={(_event, { value }) => set({ name: value })}
        />
      </Field>
      <Field size="small" {...issue('reducer')}>
        <ChoiceField
          aria-label={`Function of output ${number}`}
          choices={REDUCER_CHOICES}
          value={reducer}
          onChange={(next) => set({ reducer: next })}
        />
      </Field>
      <Field size="small" className={styles.tagOfOutput} {...issue('tag')}>
        <Dropdown
          size="small"
          className={styles.sourceTag ?? ''}
          aria-label={`Source tag of output ${number}`}
          title={tag}
          value={tag}
          selectedOptions={[tag]}
          listbox={{ className: styles.sourceTags ?? '' }}
          positioning={{ position: 'below', align: 'start' }}
          button={{
            children:
              tag === '' ? (
                'Add a source tag first'
              ) : (
                <span className={styles.chosenTag}>
                  <PathCell path={tag} tracks={tracksOf(form.outputs.map((output) => output.tag))} />
                </span>
              ),
          }}
          onOptionSelect={(_event, { optionValue }) => optionValue !== undefined && set({ tag: optionValue })}
        >
          {paths.map((path) => (
            <Option key={path} value={path} text={path}>
              <PathCell path={path} tracks={tracksOf(paths)} />
            </Option>
          ))}
        </Dropdown>
      </Field>
      <Button
        size="small"
        appearance="subtle"
        icon={<DismissRegular />}
        aria-label={`Remove output ${number}`}
        disabledFocusable={form.outputs.length === 1}
        onClick={() => onChange(withoutOutputLine(form, key))}
      />
      {reducer === 'timeInState' && (
        <Field
          className={styles.state}
          size="small"
          label="State"
          orientation="horizontal"
          hint="true, false, a number, or a text such as Running; with quotes, “1” is a text"
          {...issue('state')}
        >
          <Input
            size="small"
            aria-label={`State of output ${number}`}
            value={state}
            onChange={(_event, { value }) => set({ state: value })}
          />
        </Field>
      )}
    </div>
  );
}
