import { Fragment, useState } from 'react';
import { EMPTY_CONTEXT } from '#domain/run/saved-context';
import type { SavedContext } from '#domain/run/saved-context';
import type { SettingsUse } from '#domain/tag/usage';
import { useWorkbench } from '../../../frame/workbench.ts';
import {
  Button,
  Menu,
  MenuDivider,
  MenuGroup,
  MenuGroupHeader,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
} from '../../../ui/fluent.ts';
import { ChevronDownRegular } from '../../../ui/icons.ts';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import { contextOfUse, contextParts, sampleContext } from '../model/run-context.ts';
import type { Doc } from '../model/script-document.ts';
import styles from './preview.module.css';

interface Props {
  doc: Doc;
  form: SavedContext;
  recent: readonly SavedContext[];
  onChoose: (form: SavedContext) => void;
}

/** Contexts of earlier runs, of the sample, or of tags. */
export function ContextMenu({ doc: { scriptId, saved }, form, recent, onChoose }: Props) {
  const { client } = useWorkbench();
  const [uses, setUses] = useState<SettingsUse[]>([]);
  const sample = saved ? sampleContext(saved.group, saved.name) : null;
  const look = async () => {
    if (scriptId === null) return;
    try {
      setUses((await client.scripts.usage({ id: scriptId })).tags);
    } catch {
      // The other contexts do not need main.
      setUses([]);
    }
  };
  return (
    <Menu positioning="below-end" onOpenChange={(_event, { open }) => open && void look()}>
      <MenuTrigger disableButtonEnhancement>
        <Button
          size="small"
          appearance="subtle"
          icon={<ChevronDownRegular />}
          iconPosition="after"
          className={styles.contexts}
          aria-label="Contexts"
          title="Use a context of the sample, of a tag with this script, or of an earlier run"
        >
          <span className={styles.contextsText}>Contexts</span>
        </Button>
      </MenuTrigger>
      <MenuPopover className={styles.contextList}>
        <MenuList>
          {sample && (
            <MenuGroup>
              <MenuGroupHeader>Of the sample</MenuGroupHeader>
              <MenuItem onClick={() => onChoose(sample)}>
                <ContextLine context={sample} />
              </MenuItem>
            </MenuGroup>
          )}
          {uses.length > 0 && (
            <MenuGroup>
              <MenuGroupHeader>Tags with this script</MenuGroupHeader>
              {uses.map((use) => (
                <MenuItem key={`${use.path} ${use.member}`} onClick={() => onChoose(contextOfUse(use, form))}>
                  {use.member === 'writeScript' ? 'A write of' : 'A read of'} <TagPath path={use.path} />
                </MenuItem>
              ))}
            </MenuGroup>
          )}
          {recent.length > 0 && (
            <MenuGroup>
              <MenuGroupHeader>Recent</MenuGroupHeader>
              {recent.map((one) => (
                <MenuItem key={JSON.stringify(one)} onClick={() => onChoose(one)}>
                  <ContextLine context={one} />
                </MenuItem>
              ))}
            </MenuGroup>
          )}
          {(sample || uses.length > 0 || recent.length > 0) && <MenuDivider />}
          <MenuItem onClick={() => onChoose(EMPTY_CONTEXT)}>Empty</MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

/** `Line1.Order.Number.Value, Diagram Line overview, workcenter Line1, tagValue {…}`, with isolated text directions. */
function ContextLine({ context }: { context: SavedContext }) {
  return contextParts(context).map(({ name, text }, place) => (
    <Fragment key={name}>
      {place > 0 && ', '}
      {name === '' ? (
        <TagPath path={text} />
      ) : (
        <>
          {name} <bdi>{text}</bdi>
        </>
      )}
    </Fragment>
  ));
}
