import { useState } from 'react';
import { MAX_OPENED_BYTES } from '#domain/run/capsule';
import type { KeptRun } from '#domain/run/replay';
import { useWorkbench } from '../../../frame/workbench.ts';
import { pickFile, textOf } from '../../../support/files.ts';
import { moment } from '../../../support/moment.ts';
import { Button, Menu, MenuDivider, MenuItem, MenuList, MenuPopover, MenuTrigger } from '../../../ui/fluent.ts';
import { ChevronDownRegular } from '../../../ui/icons.ts';
import type { CapsuleSource } from '../model/capsules.ts';
import { runNote } from '../model/replay-text.ts';
import type { Doc } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';

const MOST_RUNS = 15;

/** Chooses the run that the open one is compared with: another recorded run, or the capsule of a file. */
export function CompareMenu({ doc, source, disabled }: { doc: Doc; source: CapsuleSource; disabled: boolean }) {
  const { client, notify } = useWorkbench();
  const { capsules } = useScripts();
  const [runs, setRuns] = useState<readonly KeptRun[] | null>(null);
  const { saved, editor: key } = doc;
  const failed = (error: unknown) => notify({ intent: 'error', title: 'The runs were not compared', error });
  const load = () => {
    setRuns(null);
    const script = saved && `${saved.group}/${saved.name}`;
    client.capsules.runs({ script, limit: MOST_RUNS }).then((found) => setRuns(found.runs), failed);
  };
  const fromFile = async () => {
    const file = await pickFile('.json');
    if (!file) return;
    if (file.size > MAX_OPENED_BYTES) throw new Error('It is larger than 8 MB. Use “tagwright compare”.');
    const { name, text } = await textOf(file);
    await capsules.compare(key, { file: name }, text);
  };
  const own = 'run' in source ? source.run.id : null;
  const others = runs?.filter(({ id }) => id !== own) ?? [];
  return (
    <Menu positioning="below-end" onOpenChange={(_event, { open }) => open && load()}>
      <MenuTrigger disableButtonEnhancement>
        <Button
          size="small"
          appearance="subtle"
          icon={<ChevronDownRegular />}
          iconPosition="after"
          disabledFocusable={disabled}
          title="Compare this run with another one: input, path, output and exchanges side by side"
        >
          Compare with
        </Button>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {/* The first item stays the same element: it has the focus while the runs are loaded. */}
          {(others.length === 0 ? [null] : others).map((run, place) =>
            run === null ? (
              <MenuItem key="first" disabled>
                {runs === null ? 'Loading…' : 'No other recorded runs'}
              </MenuItem>
            ) : (
              <MenuItem
                key={place === 0 ? 'first' : run.id}
                secondaryContent={run.status}
                onClick={() => void capsules.compare(key, { run })}
              >
                {`${moment(new Date(run.at))} · ${runNote(run).slice(0, 60)}`}
              </MenuItem>
            ),
          )}
          <MenuDivider />
          <MenuItem onClick={() => void fromFile().catch(failed)}>A capsule file…</MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
