import { useCallback, useEffect, useRef, useState } from 'react';
import { focusField } from '../../frame/focus-field.ts';
import { focusPane } from '../../frame/panes/panes.ts';
import type { ViewProps } from '../../frame/view.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { Tab, TabList } from '../../ui/fluent.ts';
import { CallsPane } from './calls/calls-pane.tsx';
import { MocksPane } from './mocks/mocks-pane.tsx';
import { MocksModel } from './model/mocks-model.ts';
import { formOf } from './model/mock-form.ts';
import { SecretsPane } from './secrets/secrets-pane.tsx';
import { TrafficBar } from './calls/traffic-bar.tsx';
import styles from './mocks.module.css';

const TABS = { mocks: 'Mocks', calls: 'Call log', secrets: 'Secrets' } as const;
type MockTab = keyof typeof TABS;

/** Mocks for the API calls of scripts, the call log, and the secrets. */
export function MocksView({ active, target }: ViewProps) {
  const { client, notify } = useWorkbench();
  const [model] = useState(() => new MocksModel(client));
  const [tab, setTab] = useState<MockTab>('mocks');
  const [call, setCall] = useState<number | null>(null);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void model.follow(end.signal);
    return () => end.abort();
  }, [model, active]);
  // `mock:7`, `call:12`, `mock-of-call:12` or `secrets`.
  const [followed, setFollowed] = useState<ViewProps['target']>(null);
  if (target !== followed) {
    setFollowed(target);
    const [sort, number] = (target?.what ?? '').split(':');
    if (sort === 'call') setCall(Number(number));
    setTab(sort === 'call' ? 'calls' : sort === 'secrets' ? 'secrets' : 'mocks');
  }
  useEffect(() => {
    if (!target?.what.startsWith('mock:')) return undefined;
    model.select(target.what);
    return target.place && focusField('mock-editor', target.place);
  }, [model, target]);

  const showTab = (name: MockTab) => {
    setTab(name);
    // The list of mocks may be collapsed.
    setTimeout(() => focusPane(`mocks-${name}`) || focusPane('mock-editor'), 0);
  };
  const makeMock = useCallback(
    async (seq: number) => {
      try {
        model.create(formOf(await client.mocks.ofCall({ seq })));
        setTab('mocks');
        setTimeout(() => focusPane('mock-editor'), 0);
      } catch (error) {
        notify({ intent: 'error', title: 'The mock was not created', error });
      }
    },
    [client, model, notify],
  );
  const made = useRef<ViewProps['target']>(null);
  useEffect(() => {
    const of = /^mock-of-call:(\d+)$/.exec(target?.what ?? '')?.[1];
    if (of === undefined || made.current === target) return;
    made.current = target;
    void makeMock(Number(of));
  }, [target, makeMock]);
  const section = 'API mocks';
  useCommands([
    { id: 'mocks.tab', section, title: 'Show the mocks', keys: 'Alt+1', enabled: active, run: () => showTab('mocks') },
    {
      id: 'calls.tab',
      section,
      title: 'Show the call log',
      keys: 'Alt+2',
      enabled: active,
      run: () => showTab('calls'),
    },
    {
      id: 'secrets.tab',
      section,
      title: 'Show the secrets',
      keys: 'Alt+3',
      enabled: active,
      run: () => showTab('secrets'),
    },
  ]);

  return (
    <div className={styles.view}>
      <header className={styles.top}>
        <TabList
          size="small"
          aria-label="API mocks"
          selectedValue={tab}
          onTabSelect={(_event, { value }) => setTab(value === 'calls' || value === 'secrets' ? value : 'mocks')}
        >
          {Object.entries(TABS).map(([name, title]) => (
            <Tab key={name} value={name}>
              {title}
            </Tab>
          ))}
        </TabList>
        <TrafficBar model={model} />
      </header>
      {tab === 'mocks' && <MocksPane model={model} active={active} target={target} />}
      {tab === 'calls' && (
        <CallsPane active={active} chosen={call} onChoose={setCall} onMakeMock={(seq) => void makeMock(seq)} />
      )}
      {tab === 'secrets' && <SecretsPane active={active} />}
    </div>
  );
}
