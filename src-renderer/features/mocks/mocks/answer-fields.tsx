import { MOCK_FAULTS, type MockFault } from '#domain/mock/mock';
import { BodyField } from './body-field.tsx';
import { HeaderLines } from './header-lines.tsx';
import type { Issues } from '../../../client/issues.ts';
import type { AnswerForm } from '../model/answer-form.ts';
import { validationOf } from '../../../drafted/validation.ts';
import styles from './editor.module.css';
import { Button, Field, Input, Popover, PopoverSurface, PopoverTrigger, Select, Switch } from '../../../ui/fluent.ts';
import { QuestionCircleRegular } from '../../../ui/icons.ts';

const FAULTS: Readonly<Record<MockFault, string>> = {
  refused: 'fails: connection refused',
  reset: 'fails: connection reset',
  timeout: 'fails: timeout',
  badTls: 'fails: untrusted certificate',
  truncated: 'fails: truncated response',
};

const BODIES: Readonly<Record<AnswerForm['body'], string>> = {
  json: 'JSON',
  text: 'text',
  base64: 'binary, kept in the workspace database',
  file: 'a file in the folder mock-files',
  none: 'none',
};

interface Props {
  form: AnswerForm;
  /** The field of the response: `answer`. */
  field: string;
  issues: Issues;
  onChange: (part: Partial<AnswerForm>) => void;
}

/** One response of a mock. */
export function AnswerFields({ form, field, issues, onChange }: Props) {
  const texts = form.body === 'json' || form.body === 'text';
  return (
    <>
      <div className={styles.answerLine}>
        <Field label="Result" size="small">
          <Select
            size="small"
            value={form.fault}
            onChange={(_event, { value }) => onChange({ fault: MOCK_FAULTS.find((name) => name === value) ?? '' })}
          >
            <option value="">responds</option>
            {MOCK_FAULTS.map((name) => (
              <option key={name} value={name}>
                {FAULTS[name]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Status" size="small" {...validationOf(issues.get(`${field}.status`))}>
          <Input
            size="small"
            inputMode="numeric"
            disabled={form.fault !== ''}
            value={form.status}
            onChange={(_event, { value }) => onChange({ status: value })}
          />
        </Field>
        <Field label="Delay (ms)" size="small" {...validationOf(issues.get(`${field}.delayMs`))}>
          <Input
            size="small"
            inputMode="numeric"
            value={form.delay}
            onChange={(_event, { value }) => onChange({ delay: value })}
          />
        </Field>
      </div>
      {form.fault === '' && (
        <>
          <HeaderLines
            label="Response header"
            lines={form.answerHeaders}
            issues={issues}
            field={`${field}.headers`}
            onChange={(answerHeaders) => onChange({ answerHeaders })}
          />
          <Field label="Body" size="small" orientation="horizontal" className={styles.choice}>
            <Select
              size="small"
              value={form.body}
              onChange={(_event, { value }) => {
                const kinds = ['json', 'text', 'base64', 'file', 'none'] as const;
                const body = kinds.find((name) => name === value);
                if (body) onChange({ body });
              }}
            >
              {Object.entries(BODIES).map(([name, text]) => (
                <option key={name} value={name}>
                  {text}
                </option>
              ))}
            </Select>
          </Field>
          <BodyField form={form} field={`${field}.body`} issue={issues.get(`${field}.body`)} onChange={onChange} />
          {(texts || form.template) && (
            <div className={styles.template}>
              <Switch
                label="Replace {{expressions}}"
                checked={form.template}
                onChange={(_event, { checked }) => onChange({ template: checked })}
              />
              <TemplateHelp />
            </div>
          )}
        </>
      )}
    </>
  );
}

const EXPRESSIONS = [
  ['{{request.path.id}}', 'the segment of the path that is {id} in the URL pattern'],
  ['{{request.query.page}}', 'a parameter of the URL'],
  ['{{request.header.Accept}}', 'a header'],
  ['{{request.body.items.0.id}}', 'a member of a JSON body, or a field of a form'],
  ['{{request.body}}, {{request.url}}, {{request.method}}', 'the request itself'],
  ['{{hits}}', 'the number of hits of the mock, including this one'],
  ['{{now}}, {{now.unix}}', 'the time, as ISO text in UTC and in seconds'],
  ['{{uuid}}', 'a new UUID'],
] as const;

/** The expressions of a response. */
function TemplateHelp() {
  return (
    <Popover trapFocus withArrow>
      <PopoverTrigger disableButtonEnhancement>
        <Button size="small" appearance="subtle" icon={<QuestionCircleRegular />}>
          Expressions
        </Button>
      </PopoverTrigger>
      <PopoverSurface aria-label="Expressions" tabIndex={-1}>
        <dl className={styles.help}>
          {EXPRESSIONS.map(([expression, meaning]) => (
            <div key={expression}>
              <dt>{expression}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.helpNote}>
          Use these in texts, JSON and headers of the response. A missing value becomes an empty text. In JSON, a text
          that consists of one expression for the body keeps its type: a number stays a number.
        </p>
      </PopoverSurface>
    </Popover>
  );
}
