import { useEffect, useState } from 'react';
import type { ApiRequest } from '#domain/mock/api-request';
import type { AggregationEvent } from '#domain/event/event';
import type { Rule } from '#domain/rule/rule';
import type { Json } from '#domain/text/json';
import { problemOf } from '../../client/errors.ts';
import { outputFormats, type TagFormats } from '../../client/tag-formats.ts';
import { useCopy } from '../../frame/use-copy.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { WhyButton } from '../../frame/why/why-button.tsx';
import { WhyWindowPart } from '../../frame/why/why-window.tsx';
import { Button, Link, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from '../../ui/fluent.ts';
import { CopyRegular } from '../../ui/icons.ts';
import { inFormat, shownValue, wholeValue } from '../../support/shown-value.ts';
import type { CallLanguage, ReadyCall } from './model/ready-calls.ts';
import { CALL_LANGUAGES, readyCall } from './model/ready-calls.ts';
import { fullMoment, moment } from '../../support/moment.ts';
import { accessesOf, useStory } from './event-story.ts';
import styles from './events.module.css';

interface Props {
  event: AggregationEvent;
  /** undefined for a deleted one. */
  rule: Rule | undefined;
  ruleName: string;
  /** By tag. */
  formats: TagFormats;
  requests: readonly ApiRequest[];
}

/** With the output that the value is of, if any. */
type FieldText = readonly [name: string, value: Json, output?: string | null];

/** One event: its fields, its rule, its data row, its window, and the requests for it. */
export function EventDetails({ event, rule, ruleName, formats, requests }: Props) {
  const { show } = useWorkbench();
  const id = event.AggregationEventId;
  const story = useStory(event, requests);
  const accesses = accessesOf(id, requests, story);
  return (
    <div className={styles.details}>
      <header className={styles.detailsHead}>
        <h2>Event {id}</h2>
        <WhyButton thing={`event:${id}`} quiet />
        <CopyCall id={id} />
      </header>
      <Fields label="Fields of the event" fields={Object.entries(event)} />
      <h3>Rule</h3>
      <Link as="button" onClick={() => show('aggregations', String(event.RuleId))}>
        <bdi>{ruleName}</bdi>
      </Link>
      <h3>Data row</h3>
      <DataRow key={id} event={event} formats={outputFormats(rule?.outputs ?? [], formats)} />
      <div className={story === null ? styles.windowToCome : styles.window}>
        {story?.window && <WhyWindowPart window={story.window} hasRow />}
      </div>
      <h3>Requests for this event</h3>
      {accesses.length === 0 ? (
        <p className={styles.hint}>No external tool has requested this event.</p>
      ) : (
        <ul className={styles.calls}>
          {accesses.map(({ key, at, what, client }) => (
            <li key={key}>
              <time dateTime={at} title={fullMoment(new Date(at))}>
                {moment(new Date(at))}
              </time>{' '}
              {what} <bdi>{client}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Fields({
  label,
  fields,
  formats,
}: {
  label: string;
  fields: readonly FieldText[];
  /** By output. */
  formats?: TagFormats;
}) {
  return (
    <dl className={styles.fields} aria-label={label}>
      {fields.map(([name, value, output]) => (
        <div key={name}>
          <dt title={name}>{name}</dt>
          <dd title={wholeValue(value)}>{inFormat(value, formats?.get(output ?? '')) ?? shownValue(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The row of the result table that the event refers to. */
function DataRow({ event, formats }: { event: AggregationEvent; formats: TagFormats }) {
  const { client } = useWorkbench();
  const [row, setRow] = useState<readonly FieldText[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { RuleId: rule, ResultTableRecordId: record } = event;
  useEffect(() => {
    const end = new AbortController();
    const load = async () => {
      try {
        const { columns, rows } = await client.rules.rows(
          { id: rule, before: record + 1, limit: 1 },
          { signal: end.signal },
        );
        const [cells] = rows;
        if (end.signal.aborted) return;
        if (cells?.[0] !== record) setProblem('The row no longer exists.');
        else setRow(columns.map(({ name, output }, index) => [name, cells[index] ?? null, output]));
      } catch (error) {
        if (!end.signal.aborted) setProblem(problemOf(error).message);
      }
    };
    void load();
    return () => end.abort();
  }, [client, rule, record]);
  if (problem !== null) return <p className={styles.hint}>{problem}</p>;
  return row ? <Fields label="Data row" fields={row} formats={formats} /> : <p className={styles.hint}>…</p>;
}

/** Calls of the events API for this event, ready to copy. */
function CopyCall({ id }: { id: number }) {
  const { client, notify } = useWorkbench();
  const toClipboard = useCopy();
  const copy = async (language: CallLanguage, method: ReadyCall['method']) => {
    try {
      const [{ url }, settings] = await Promise.all([client.eventsApi.status(), client.settings.get()]);
      const base = url ?? `http://127.0.0.1:${settings['events.port']}`;
      const body = method === 'PUT' ? '{"Active": false}' : null;
      const call = { method, url: `${base}/api/events/${id}`, body };
      const ready = readyCall(call, language, settings['events.apiKey'] !== '');
      await toClipboard(ready, `Copied for ${language}`, { body: `${method} ${call.url}` });
    } catch (error) {
      notify({ intent: 'error', title: 'The call was not copied', error });
    }
  };
  return (
    <Menu>
      <MenuTrigger disableButtonEnhancement>
        <Button size="small" appearance="subtle" icon={<CopyRegular />}>
          Copy a call
        </Button>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {CALL_LANGUAGES.flatMap((language) =>
            (['GET', 'PUT', 'DELETE'] as const).map((method) => (
              <MenuItem key={`${language} ${method}`} onClick={() => void copy(language, method)}>
                {language}:{' '}
                {method === 'GET' ? 'read the event' : method === 'PUT' ? 'disable the event' : 'delete the event'}
              </MenuItem>
            )),
          )}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
