import { useCallback, useEffect, useRef, useState } from 'react';
import type { Json } from '#domain/text/json';
import { DEFAULT_SETTINGS, type Settings } from '#domain/workspace/settings';
import { problemOf } from '../../client/errors.ts';
import type { ViewProps } from '../../frame/view.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { GROUPS, SECTION_NAMES, type SettingKey, found, isFound } from './model/catalog.ts';
import { AppearanceSection } from './appearance-section.tsx';
import { DiagnosticsSection } from './diagnostics-section.tsx';
import { OtherWorkspaces } from './other-workspaces.tsx';
import { SettingRow } from './setting-row.tsx';
import { SignOutSection } from './sign-out-section.tsx';
import { useDiagnosis } from './use-diagnosis.ts';
import { WorkspaceSection } from './workspace-section.tsx';
import styles from './settings.module.css';
import type { OsSandboxState } from '#domain/workspace/os-sandbox';
import { Button, SearchBox, Spinner, Switch } from '../../ui/fluent.ts';
import { CheckmarkCircleFilled, WarningFilled } from '../../ui/icons.ts';
import type { Client } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';
import { stayCurrent } from '../../client/stay-current.ts';

const isChanged = (settings: Settings, key: SettingKey): boolean =>
  JSON.stringify(settings[key]) !== JSON.stringify(DEFAULT_SETTINGS[key]);

const KEY_REMOVED = "The key of the events API was removed. You can't restore it; set a new one.";

/** The port that the events API listens on; null while it does not, or if that is unknown. */
function useEventsPort(client: Pick<Client, 'app'>, active: boolean): number | null {
  const [port, setPort] = useState<number | null>(null);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void follow(
      (signal) => client.app.status(undefined, { signal }),
      ({ eventsApi: { url } }) => setPort(url === null ? null : Number(new URL(url).port)),
      end.signal,
    );
    return () => end.abort();
  }, [client, active]);
  return port;
}

/** An option of the command can give an instance another port. */
const portNote = (used: number | null, set: number): string | null =>
  used === null || used === set ? null : `Now in use: ${used}.`;

/** The settings of the workspace, the appearance of the workbench, and the backups of the workspace. */
export function SettingsView({ active, target }: ViewProps) {
  const { client, notify } = useWorkbench();
  const { settings, problem, take } = useSettings(client, active);
  const diagnosis = useDiagnosis(client);
  const port = useEventsPort(client, active);
  const [text, setText] = useState(target?.what ?? '');
  const [onlyChanged, setOnlyChanged] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const [shownTarget, setShownTarget] = useState(target);
  // The command palette names a setting.
  if (target !== shownTarget) {
    setShownTarget(target);
    if (target) setText(target.what);
  }
  useCommands([
    {
      id: 'settings.search',
      section: 'Settings',
      title: 'Search the settings',
      keys: 'Ctrl+F',
      enabled: active,
      run: () => bar.current?.querySelector('input')?.focus(),
    },
  ]);

  const change = async (patch: Partial<Settings>) => {
    try {
      take(await client.settings.update(patch));
    } catch (error) {
      // The message for this field, without the name of the setting.
      throw new Error(problemOf(error).message.replace(/^[\w.]+: /, ''), { cause: error });
    }
  };
  const reset = async (keys: SettingKey[], title: string) => {
    if (!settings) return;
    // A removed key can't be restored.
    const restorable = keys.filter((key) => key !== 'events.apiKey');
    const before: Partial<Settings> = Object.fromEntries(restorable.map((key) => [key, settings[key]]));
    const undo = async () => {
      await change(before).catch((error: unknown) => notify({ intent: 'error', title: 'Undo failed', error }));
    };
    try {
      take(await client.settings.reset({ keys }));
      notify({
        intent: 'info',
        title,
        ...(restorable.length > 0 && { action: { label: 'Undo', run: undo } }),
        ...(restorable.length < keys.length && settings['events.apiKey'] !== '' && { body: KEY_REMOVED }),
      });
    } catch (error) {
      notify({ intent: 'error', title: 'Nothing was reset', error });
    }
  };

  if (!settings) {
    return (
      <div className={styles.center}>{problem === null ? <Spinner size="tiny" /> : <p role="alert">{problem}</p>}</div>
    );
  }
  const changed = GROUPS.flatMap(({ fields }) => fields.map(({ key }) => key)).filter((key) =>
    isChanged(settings, key),
  );
  const shown = found(GROUPS, text)
    .map(({ title, fields }) => ({
      title,
      fields: fields.filter(({ key }) => !onlyChanged || isChanged(settings, key)),
    }))
    .filter(({ fields }) => fields.length > 0);
  const shows = (section: Parameters<typeof isFound>[0]) => !onlyChanged && isFound(section, text);
  const nothing = shown.length === 0 && SECTION_NAMES.every((one) => !shows(one));
  return (
    <section className={styles.view} aria-label="Settings" data-pane="settings">
      <header ref={bar} className={styles.bar}>
        <SearchBox
          size="small"
          className={styles.search}
          placeholder="Search the settings"
          aria-label="Search the settings"
          value={text}
          onChange={(_event, { value }) => setText(value)}
        />
        <Switch
          label="Modified only"
          checked={onlyChanged}
          onChange={(_event, { checked }) => setOnlyChanged(checked)}
        />
        <span className={styles.count} role="status">
          {changed.length === 0 ? 'All settings at their defaults' : `${changed.length} changed`}
        </span>
        <Button
          size="small"
          appearance="subtle"
          disabledFocusable={changed.length === 0}
          onClick={() => void reset(changed, `${changed.length} settings were reset`)}
        >
          Reset all
        </Button>
      </header>
      <div className={styles.page} role="region" aria-label="All settings" tabIndex={0} data-pane-focus>
        <div className={styles.column}>
          {shows('appearance') && <AppearanceSection />}
          {shown.map(({ title, fields }) => (
            <section key={title} className={styles.group} aria-label={title}>
              <h2>{title}</h2>
              {fields.map((field) => (
                <SettingRow
                  key={field.key}
                  field={field}
                  value={settings[field.key]}
                  usual={DEFAULT_SETTINGS[field.key]}
                  note={field.key === 'events.port' ? portNote(port, settings['events.port']) : null}
                  onChange={(value: Json) => change({ [field.key]: value })}
                  onReset={() => void reset([field.key], `${field.title} was reset`)}
                />
              ))}
              {fields.some(({ key }) => key === 'hosts.requireOsSandbox') && <SandboxState />}
            </section>
          ))}
          {nothing && (
            <p className={styles.note}>
              {onlyChanged && text.trim() === '' ? 'All settings have their defaults.' : 'No settings match.'}
            </p>
          )}
          <SignOutSection active={active} shown={shows('sessions')} />
          {shows('workspace') && <WorkspaceSection active={active} />}
          {shows('others') && <OtherWorkspaces active={active} />}
          {shows('diagnostics') && <DiagnosticsSection active={active} {...diagnosis} />}
        </div>
      </div>
    </section>
  );
}

/** What the operating system enforces on the processes that run scripts and SQL. */
function SandboxState() {
  const { client } = useWorkbench();
  const [state, setState] = useState<OsSandboxState | null>(null);
  useEffect(() => {
    const end = new AbortController();
    client.app.info(undefined, { signal: end.signal }).then(
      ({ sandbox }) => setState(sandbox),
      () => setState(null),
    );
    return () => end.abort();
  }, [client]);
  if (state === null) return null;
  return (
    <div className={styles.row}>
      <div className={styles.about}>
        <span className={styles.title}>OS sandbox on this machine</span>
        <span className={styles.help}>{state.summary}</span>
      </div>
      <ul className={styles.layers} aria-label={`${state.system} enforces`}>
        {state.layers.map(({ name, active, reason }) => (
          <li key={name} data-active={active}>
            {active ? <CheckmarkCircleFilled aria-hidden /> : <WarningFilled aria-hidden />}
            <span>
              <strong>{name}</strong>
              {active ? '' : ' (not enforced)'}: {reason}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The current settings, also after changes made elsewhere; null until they have been read. */
function useSettings(client: Client, active: boolean) {
  const [settings, setSettings] = useState<Settings | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const take = useCallback((now: Settings) => {
    setSettings(now);
    setProblem(null);
  }, []);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void stayCurrent(
      {
        changes: [(signal) => client.settings.changes(undefined, { signal })],
        read: async (signal) => take(await client.settings.get(undefined, { signal })),
        failed: ({ message }) => setProblem(message),
      },
      end.signal,
    );
    return () => end.abort();
  }, [client, active, take]);
  return { settings, problem, take };
}
