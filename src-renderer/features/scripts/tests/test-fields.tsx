import { type ReactNode, useEffect, useRef, useState } from 'react';
import { MOCK_METHODS } from '#domain/mock/mock';
import { RUN_STATUSES } from '#domain/run/run';
import { QUALITIES } from '#domain/tag/quality';
import { focusIn } from '../../../frame/panes/panes.ts';
import { TagPathField } from '../../../frame/tag-path-field.tsx';
import { useWorkbench } from '../../../frame/workbench.ts';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';
import { CodeField } from '../../../ui/fields/code-field.tsx';
import { Button, Checkbox, Field, Input, Select } from '../../../ui/fluent.ts';
import { AddRegular, DismissRegular } from '../../../ui/icons.ts';
import { newEvent, newFixture, newMock, newWrite } from './test-form.ts';
import type { FormProblems, TestForm } from './test-form.ts';
import { ContextFields } from '../preview/context-fields.tsx';
import styles from './tests.module.css';

interface Props {
  form: TestForm;
  problems: FormProblems;
  onChange: (form: TestForm) => void;
}

/** The inputs and expected results of a test, field by field. */
export function TestFields({ form, problems, onChange }: Props) {
  const set = (change: Partial<TestForm>) => onChange({ ...form, ...change });
  const rules = useRuleNames();
  return (
    <div className={styles.fields}>
      <Section title="Context">
        <ContextFields bar={null} form={form.context} onChange={(context) => set({ context })} />
      </Section>

      <Section title="Values of tags" hint="Tags without a value here use the workspace value.">
        <Rows
          what="value of a tag"
          rows={form.tags}
          problems={problems}
          field="tags"
          onAdd={() => set({ tags: [...form.tags, newFixture()] })}
          onChange={(tags) => set({ tags })}
        >
          {(row, label, change, invalid) => (
            <>
              <TagPathField
                aria-label={`${label}: tag`}
                aria-invalid={invalid('tag')}
                placeholder="Path of the tag"
                value={row.tag}
                onChange={(tag) => change({ tag })}
              />
              <JsonInput
                label={`${label}: value`}
                aria-invalid={invalid('value')}
                value={row.value}
                onChange={(value) => change({ value })}
              />
              <Choice
                label={`${label}: quality`}
                aria-invalid={invalid('quality')}
                value={row.quality}
                choices={QUALITIES}
                onChange={(quality) => change({ quality })}
              />
              <Scope row={row} label={label} onChange={change} />
            </>
          )}
        </Rows>
      </Section>

      <Section title="Mocks" hint="They respond to API calls before the mocks of the workspace.">
        <Rows
          what="mock"
          rows={form.mocks}
          problems={problems}
          field="mocks"
          onAdd={() => set({ mocks: [...form.mocks, newMock()] })}
          onChange={(mocks) => set({ mocks })}
        >
          {(row, label, change, invalid) => (
            <>
              <Text
                label={`${label}: name`}
                aria-invalid={invalid('name')}
                placeholder="Name"
                value={row.name}
                onChange={(name) => change({ name })}
              />
              <Choice
                label={`${label}: method`}
                aria-invalid={invalid('method')}
                value={row.method}
                choices={MOCK_METHODS}
                onChange={(method) => change({ method })}
              />
              <Text
                label={`${label}: status`}
                aria-invalid={invalid('status')}
                placeholder="200"
                value={row.status}
                onChange={(status) => change({ status })}
              />
              <Text
                className={styles.whole}
                label={`${label}: URL`}
                aria-invalid={invalid('url')}
                placeholder="https://host/path"
                value={row.url}
                onChange={(url) => change({ url })}
              />
              {row.body === null ? (
                <p className={styles.note}>Edit the body of this response as JSON.</p>
              ) : (
                <div className={styles.whole}>
                  <CodeField
                    language="json"
                    aria-label={`${label}: body of the response`}
                    placeholder="Body of the response: JSON or another text"
                    rows={2}
                    value={row.body}
                    onChange={(body) => change({ body })}
                  />
                </div>
              )}
            </>
          )}
        </Rows>
      </Section>

      <Section title="Expected results">
        <Field label="The run ends with" size="small" orientation="horizontal">
          <Select
            size="small"
            value={form.status}
            onChange={(_event, { value }) =>
              set({ status: RUN_STATUSES.find((status) => status === value) ?? form.status })
            }
          >
            {RUN_STATUSES.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </Select>
        </Field>
        <Checkbox
          label="Its error contains a text"
          checked={form.error !== null}
          onChange={(_event, { checked }) => set({ error: checked === true ? '' : null })}
        />
        {form.error !== null && (
          <Text
            label="Text of the error"
            placeholder="A part of the message"
            value={form.error}
            onChange={(error) => set({ error })}
          />
        )}
        <Checkbox
          label="The result is"
          checked={form.result !== null}
          onChange={(_event, { checked }) => set({ result: checked === true ? 'null' : null })}
        />
        {form.result !== null && (
          <Field size="small" {...problemAt(problems, 'result')}>
            <CodeField
              language="json"
              aria-label="Expected result as JSON"
              rows={3}
              value={form.result}
              problem={problems.get('result')}
              onChange={(result) => set({ result })}
            />
          </Field>
        )}
        <Checkbox
          label="It writes exactly these tags, in this order"
          checked={form.writes !== null}
          onChange={(_event, { checked }) => set({ writes: checked === true ? [] : null })}
        />
        {form.writes && (
          <Rows
            what="write"
            rows={form.writes}
            problems={problems}
            field="writes"
            onAdd={() => set({ writes: [...(form.writes ?? []), newWrite()] })}
            onChange={(writes) => set({ writes })}
          >
            {(row, label, change, invalid) => (
              <>
                <TagPathField
                  aria-label={`${label}: tag`}
                  aria-invalid={invalid('tag')}
                  placeholder="Path of the tag"
                  value={row.tag}
                  onChange={(tag) => change({ tag })}
                />
                <JsonInput
                  label={`${label}: value`}
                  aria-invalid={invalid('value')}
                  placeholder="any value"
                  value={row.value}
                  onChange={(value) => change({ value })}
                  wide
                />
                <Scope row={row} label={label} onChange={change} />
              </>
            )}
          </Rows>
        )}
        <Checkbox
          label="Rules create exactly these events"
          checked={form.events !== null}
          onChange={(_event, { checked }) => set({ events: checked === true ? [] : null })}
        />
        {form.events && (
          <Rows
            what="event"
            rows={form.events}
            problems={problems}
            field="events"
            onAdd={() => set({ events: [...(form.events ?? []), newEvent()] })}
            onChange={(events) => set({ events })}
          >
            {(row, label, change, invalid) => (
              <>
                <SuggestField
                  size="small"
                  aria-label={`${label}: rule`}
                  aria-invalid={invalid('rule')}
                  placeholder="Name of the rule"
                  value={row.rule}
                  choices={matching(rules, row.rule)}
                  onChange={(rule) => change({ rule })}
                />
                <Text
                  label={`${label}: count`}
                  aria-invalid={invalid('count')}
                  placeholder="1"
                  value={row.count}
                  onChange={(count) => change({ count })}
                />
              </>
            )}
          </Rows>
        )}
      </Section>
    </div>
  );
}

function Section({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>{title}</legend>
      {hint !== undefined && <p className={styles.note}>{hint}</p>}
      {children}
    </fieldset>
  );
}

interface RowsProps<R> {
  /** One of them: `write`. */
  what: string;
  rows: readonly R[];
  problems: FormProblems;
  field: string;
  onAdd: () => void;
  onChange: (rows: R[]) => void;
  children: (
    row: R,
    label: string,
    change: (change: Partial<R>) => void,
    invalid: (member: string) => boolean,
  ) => ReactNode;
}

/** A list whose items have several fields; the problems of an item are below it. */
function Rows<R extends { key: number }>({ what, rows, problems, field, onAdd, onChange, children }: RowsProps<R>) {
  const name = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  const list = useRef<HTMLDivElement>(null);
  /** The place of the row that gets the focus: a new one, or the one after a removed one. */
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null || !list.current) return;
    const at = Math.min(wanted.current, rows.length - 1);
    wanted.current = null;
    focusIn(list.current.querySelectorAll<HTMLElement>(':scope > [role="group"]')[at] ?? list.current);
  }, [rows.length]);
  return (
    <div ref={list} className={styles.rows}>
      {rows.map((row, index) => {
        const label = `${name} ${index + 1}`;
        const own = [...problems].filter(([at]) => at.startsWith(`${field}.${row.key}.`));
        return (
          <div key={row.key} className={styles.item} role="group" aria-label={label}>
            <div className={styles.cells}>
              {children(
                row,
                label,
                (change) => onChange(rows.map((other) => (other.key === row.key ? { ...other, ...change } : other))),
                (member) => problems.has(`${field}.${row.key}.${member}`),
              )}
            </div>
            <Button
              size="small"
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label={`Remove: ${label}`}
              onClick={() => {
                wanted.current = index;
                onChange(rows.filter((other) => other.key !== row.key));
              }}
            />
            {own.map(([at, message]) => (
              <p key={at} className={styles.wrong} role="alert">
                {at.split('.').at(-1)}: {message}
              </p>
            ))}
          </div>
        );
      })}
      <Button
        className={styles.add}
        size="small"
        appearance="subtle"
        icon={<AddRegular />}
        onClick={() => {
          wanted.current = rows.length;
          onAdd();
        }}
      >
        Add a {what}
      </Button>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  'aria-invalid': boolean;
  value: string;
  choices: readonly string[];
  onChange: (value: string) => void;
}

function Choice({ label, value, choices, onChange, ...rest }: ChoiceProps) {
  return (
    <Select
      {...rest}
      size="small"
      aria-label={label}
      value={value}
      onChange={(_event, { value: chosen }) => onChange(chosen)}
    >
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </Select>
  );
}

interface TextProps {
  label: string;
  'aria-invalid'?: boolean;
  placeholder?: string;
  className?: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

function Text({ label, placeholder = '', className, value, onChange, ...rest }: TextProps) {
  return (
    <Input
      {...rest}
      size="small"
      {...(className !== undefined && { className })}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(_event, { value: text }) => onChange(text)}
    />
  );
}

/** @param wide takes two columns */
function JsonInput({ wide = false, ...props }: TextProps & { wide?: boolean }) {
  const className = wide ? `${styles.mono} ${styles.two}` : styles.mono;
  return <Text placeholder="JSON, such as 12.5" {...props} className={className} />;
}

interface ScopeProps {
  row: { diagram: string; location: string };
  label: string;
  onChange: (change: { diagram: string } | { location: string }) => void;
}

function Scope({ row: { diagram, location }, label, onChange }: ScopeProps) {
  return (
    <>
      <Text
        label={`${label}: Diagram`}
        placeholder="Diagram"
        value={diagram}
        onChange={(text) => onChange({ diagram: text })}
      />
      <Text
        label={`${label}: workcenter`}
        placeholder="workcenter"
        value={location}
        onChange={(text) => onChange({ location: text })}
      />
    </>
  );
}

/** The choices that continue the typed text; all of them for one of them. */
function matching(choices: readonly string[], typed: string): string[] {
  const text = typed.trim().toLowerCase();
  return choices.includes(typed) ? [...choices] : choices.filter((choice) => choice.toLowerCase().includes(text));
}

function problemAt(problems: FormProblems, field: string): { validationMessage?: string } {
  const message = problems.get(field);
  return message === undefined ? {} : { validationMessage: message };
}

/** The names of the rules; none until they are loaded. */
function useRuleNames(): readonly string[] {
  const { client } = useWorkbench();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    const end = new AbortController();
    client.rules.list(undefined, { signal: end.signal }).then(
      (rules) => setNames(rules.map(({ name }) => name)),
      () => undefined,
    );
    return () => end.abort();
  }, [client]);
  return names;
}
