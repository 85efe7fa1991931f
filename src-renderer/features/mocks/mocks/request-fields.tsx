import { MOCK_METHODS } from '#domain/mock/mock';
import { Field, Input, Select } from '../../../ui/fluent.ts';
import { HeaderLines } from './header-lines.tsx';
import { JsonField } from './json-field.tsx';
import type { Issues } from '../../../client/issues.ts';
import type { MockForm } from '../model/mock-form.ts';
import { validationOf } from '../../../drafted/validation.ts';
import styles from './editor.module.css';

const MATCHES: Readonly<Record<MockForm['match'], string>> = {
  any: 'can be anything',
  contains: 'contains this text',
  json: 'has at least these members (JSON, or a form)',
};

interface Props {
  form: MockForm;
  issues: Issues;
  onChange: (part: Partial<MockForm>) => void;
}

/** The requests that a mock matches. */
export function RequestFields({ form, issues, onChange }: Props) {
  const matchIssue = validationOf(issues.get('request.body'));
  return (
    <fieldset>
      <legend>Request</legend>
      <div className={styles.urlLine}>
        <Field label="Method" size="small">
          <Select
            size="small"
            value={form.method}
            onChange={(_event, { value }) => {
              const method = MOCK_METHODS.find((name) => name === value);
              if (method) onChange({ method });
            }}
          >
            {MOCK_METHODS.map((name) => (
              <option key={name} value={name}>
                {name === 'ANY' ? 'any method' : name}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label="URL pattern"
          size="small"
          required
          hint="* any characters of a segment, ** any segments of the path, {id} a named segment, ?page=2 a parameter that must match"
          {...validationOf(issues.get('request.url'))}
        >
          <Input
            name="request.url"
            size="small"
            className={styles.code}
            spellCheck={false}
            placeholder="https://erp.example/api/orders/{id}"
            value={form.url}
            onChange={(_event, { value }) => onChange({ url: value })}
          />
        </Field>
      </div>
      <HeaderLines
        label="Required header"
        lines={form.headers}
        issues={issues}
        field="request.headers"
        onChange={(headers) => onChange({ headers })}
      />
      <Field label="Request body" size="small" orientation="horizontal" className={styles.choice}>
        <Select
          size="small"
          value={form.match}
          onChange={(_event, { value }) => {
            if (value === 'any' || value === 'contains' || value === 'json') onChange({ match: value });
          }}
        >
          {Object.entries(MATCHES).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </Select>
      </Field>
      {form.match === 'contains' && (
        <Field label="Text in the body" size="small" {...matchIssue}>
          <Input
            name="request.body"
            size="small"
            value={form.matchText}
            onChange={(_event, { value }) => onChange({ matchText: value })}
          />
        </Field>
      )}
      {form.match === 'json' && (
        <Field label="Members of the body" size="small" {...matchIssue}>
          <JsonField
            name="request.body"
            rows={3}
            value={form.matchJson}
            problem={issues.get('request.body')}
            onChange={(matchJson) => onChange({ matchJson })}
          />
        </Field>
      )}
    </fieldset>
  );
}
