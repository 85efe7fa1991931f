import { useMemo, useState } from 'react';
import { API_MODES } from '#domain/mock/api-call';
import { API_MODE_TEXTS } from '../../../frame/status-bar/api-mode-texts.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { Button, Select, Switch, Tooltip } from '../../../ui/fluent.ts';
import { FolderRegular, WarningFilled } from '../../../ui/icons.ts';
import { useStore } from '../../../support/store.ts';
import { RecordFolderDialog } from '../folders/folder-dialogs.tsx';
import { foldersIn } from '../model/folder-rows.ts';
import { listRows } from '../model/list-rows.ts';
import type { MocksModel } from '../model/mocks-model.ts';
import styles from '../mocks.module.css';

/** Where the API calls of scripts go, and the recorder that creates mocks from live calls. */
export function TrafficBar({ model }: { model: MocksModel }) {
  const { notify, show } = useWorkbench();
  const state = useStore(model.store);
  const { mode, record, recordFolder, recorded, loaded } = state;
  const [choosing, setChoosing] = useState(false);
  const folders = useMemo(() => (choosing ? foldersIn(listRows(state, '')) : []), [choosing, state]);
  const change = async (wanted: Parameters<MocksModel['setTraffic']>[0]) => {
    try {
      await model.setTraffic(wanted);
    } catch (error) {
      notify({ intent: 'error', title: 'The setting was not changed', error });
    }
  };
  const count = `${recorded.size} ${recorded.size === 1 ? 'mock' : 'mocks'} recorded`;
  return (
    <div className={styles.traffic}>
      {record && (
        <span className={styles.recorded} role="status">
          {mode === 'offline' ? (
            <>
              <WarningFilled aria-hidden /> Offline mode sends no calls, so nothing is recorded
            </>
          ) : (
            count
          )}
        </span>
      )}
      <Tooltip
        relationship="description"
        content="Create a mock from every live call that no mock matches. Tokens, keys and secrets are masked."
      >
        <Switch
          label="Record live calls"
          checked={record}
          disabled={!loaded}
          onChange={(_event, { checked }) => void change({ record: checked })}
        />
      </Tooltip>
      {(record || recordFolder !== '') && (
        <Button
          size="small"
          appearance="subtle"
          className={styles.recordFolder}
          icon={<FolderRegular />}
          disabled={!loaded}
          title={`Recorded mocks go into ${recordFolder === '' ? 'no folder' : `the folder ${recordFolder}`}. Choose a folder`}
          onClick={() => setChoosing(true)}
        >
          <bdi>{recordFolder === '' ? 'Into no folder' : `Into ${recordFolder}`}</bdi>
        </Button>
      )}
      {choosing && (
        <RecordFolderDialog
          initial={recordFolder}
          folders={folders}
          onChoose={(folder) => void change({ recordFolder: folder })}
          onClose={() => setChoosing(false)}
        />
      )}
      <Button size="small" appearance="subtle" onClick={() => show('settings', 'Record')}>
        Recording options
      </Button>
      {record && mode === 'offline' && (
        <Button size="small" onClick={() => void change({ mode: 'mockFirst' })}>
          Switch to mock first
        </Button>
      )}
      <Select
        size="small"
        aria-label="API calls go"
        value={mode}
        disabled={!loaded}
        onChange={(_event, { value }) => {
          const chosen = API_MODES.find((name) => name === value);
          if (chosen) void change({ mode: chosen });
        }}
      >
        {API_MODES.map((name) => (
          <option key={name} value={name}>
            {API_MODE_TEXTS[name]}
          </option>
        ))}
      </Select>
    </div>
  );
}
