import { Fragment, useState } from 'react';
import type { NamedContext, ScriptContexts } from '#domain/run/saved-context';
import {
  CONTEXT_LIMITS,
  EMPTY_CONTEXT,
  namedContext,
  plainContext,
  problemOfContextName,
  sameContext,
} from '#domain/run/saved-context';
import type { SavedContext } from '#domain/run/saved-context';
import type { SettingsUse } from '#domain/tag/usage';
import { copyName } from '#domain/text/copy-name';
import { problemOf } from '../../../client/errors.ts';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { TextDialog } from '../../../ui/dialogs/text-dialog.tsx';
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
import { ChevronDownRegular, EditRegular, SaveRegular } from '../../../ui/icons.ts';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import type { ShownContext } from '../model/open-contexts.ts';
import { contextOfUse, contextParts, sampleContext } from '../model/run-context.ts';
import type { Doc } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './preview.module.css';

interface Props {
  doc: Doc;
  known: ScriptContexts;
  shown: ShownContext;
  active: boolean;
}

type Naming = { what: 'save' } | { what: 'rename'; saved: NamedContext };

/** Chooses a context, and saves, renames, duplicates, moves and deletes those with a name. */
export function ContextBar({ doc, known, shown, active }: Props) {
  const { contexts } = useScripts();
  const { notify } = useWorkbench();
  const [naming, setNaming] = useState<Naming | null>(null);
  const { named } = known;
  const saved = namedContext(named, shown.chosen);
  const changed = saved !== undefined && !sameContext(saved, shown.context);

  const attempt = async (title: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      notify({ intent: 'error', title, error });
      return false;
    }
  };
  const undoable = (title: string, undo: () => Promise<void>) =>
    notify({
      intent: 'info',
      title,
      action: { label: 'Undo', run: async () => void (await attempt('Undo failed', undo)) },
    });

  const add = async (name: string, at?: number) => {
    await contexts.save(doc, { context: { ...shown.context, name }, ...(at !== undefined && { at }) });
    contexts.type(doc, shown.context, name);
  };
  const replace = (before: NamedContext, context: NamedContext, at?: number) =>
    contexts.save(doc, { context, before: before.name, ...(at !== undefined && { at }) });
  const save = async () => {
    if (!saved) return setNaming({ what: 'save' });
    const next = { ...shown.context, name: saved.name };
    if (await attempt('The context was not saved', () => replace(saved, next))) {
      undoable(`Saved the context “${saved.name}”`, () => replace(next, saved));
    }
  };
  const rename = async (from: NamedContext, name: string) => {
    const next = { ...from, name };
    await replace(from, next);
    undoable(`Renamed “${from.name}” to “${name}”`, () => replace(next, from));
  };
  const duplicate = (from: NamedContext) => {
    const taken = named.map(({ name }) => name);
    const name = copyName(from.name, taken, CONTEXT_LIMITS.title);
    void attempt('The context was not duplicated', () => add(name, named.indexOf(from) + 1));
  };
  const remove = async (gone: NamedContext) => {
    await attempt('The context was not deleted', async () => {
      const at = await contexts.delete(doc, gone.name);
      undoable(`Deleted the context “${gone.name}”`, () => contexts.save(doc, { context: gone, at }));
    });
  };
  const moveUp = (which: NamedContext) => void attempt('The context was not moved', () => replace(which, which, 0));

  const section = 'Run';
  useCommands([
    {
      id: 'run.context.save',
      section,
      title: saved ? `Save the context “${saved.name}”` : 'Save the context…',
      enabled: active && (changed || !saved),
      run: () => void save(),
    },
    {
      id: 'run.context.saveAs',
      section,
      title: 'Save the context as…',
      enabled: active,
      run: () => setNaming({ what: 'save' }),
    },
  ]);

  return (
    <div className={styles.contextBar}>
      <span className={styles.contextLabel} aria-hidden="true">
        Context
      </span>
      <ContextMenu
        doc={doc}
        known={known}
        shown={shown}
        changed={changed}
        onChoose={(context, chosen) => contexts.type(doc, context, chosen)}
      />
      {(changed || (!saved && !sameContext(shown.context, EMPTY_CONTEXT))) && (
        <Button
          size="small"
          appearance="subtle"
          icon={<SaveRegular />}
          aria-label={saved ? `Save the context ${saved.name}` : 'Save the context'}
          title={saved ? 'Save the changes of this context' : 'Save this context with a name'}
          onClick={() => void save()}
        />
      )}
      <Menu positioning="below-end">
        <MenuTrigger disableButtonEnhancement>
          <Button
            size="small"
            appearance="subtle"
            icon={<EditRegular />}
            aria-label="Edit the contexts"
            title="Save as, rename, duplicate, move or delete a context"
          />
        </MenuTrigger>
        <MenuPopover>
          <MenuList>
            <MenuItem onClick={() => setNaming({ what: 'save' })}>Save as…</MenuItem>
            {saved && (
              <>
                <MenuItem onClick={() => setNaming({ what: 'rename', saved })}>Rename…</MenuItem>
                <MenuItem onClick={() => duplicate(saved)}>Duplicate</MenuItem>
                <MenuItem disabled={named[0] === saved} onClick={() => moveUp(saved)}>
                  Make it the first
                </MenuItem>
                <MenuItem onClick={() => void remove(saved)}>Delete</MenuItem>
              </>
            )}
          </MenuList>
        </MenuPopover>
      </Menu>
      {naming && (
        <TextDialog
          title={naming.what === 'save' ? 'Save the context' : `Rename “${naming.saved.name}”`}
          label="Name of the context"
          action={naming.what === 'save' ? 'Save' : 'Rename'}
          initial={naming.what === 'save' ? '' : naming.saved.name}
          problemOf={(name) =>
            problemOfContextName(named, name, naming.what === 'save' ? undefined : naming.saved.name)
          }
          onDone={async (name) => {
            const work = naming.what === 'save' ? add(name) : rename(naming.saved, name);
            await work.catch((error: unknown) => {
              throw new Error(problemOf(error).message, { cause: error });
            });
          }}
          onClose={() => setNaming(null)}
        />
      )}
    </div>
  );
}

interface MenuProps {
  doc: Doc;
  known: ScriptContexts;
  shown: ShownContext;
  changed: boolean;
  onChoose: (context: SavedContext, chosen: string | null) => void;
}

/** Saved contexts, and those of tags with this script and of earlier runs. */
function ContextMenu({ doc: { scriptId, saved }, known: { named, used }, shown, changed, onChoose }: MenuProps) {
  const { client } = useWorkbench();
  const [uses, setUses] = useState<SettingsUse[]>([]);
  const sample = saved ? sampleContext(saved.group, saved.name) : null;
  const offered = sample && !named.some((one) => sameContext(one, sample)) ? sample : null;
  const look = async () => {
    if (scriptId === null) return;
    try {
      setUses((await client.scripts.usage({ id: scriptId })).tags);
    } catch {
      // The other contexts do not need main.
      setUses([]);
    }
  };
  const text = shown.chosen ?? (sameContext(shown.context, EMPTY_CONTEXT) ? 'Empty' : 'Not saved');
  return (
    <Menu positioning="below-start" onOpenChange={(_event, { open }) => open && void look()}>
      <MenuTrigger disableButtonEnhancement>
        <Button
          size="small"
          icon={<ChevronDownRegular />}
          iconPosition="after"
          className={styles.contexts}
          aria-label={`Contexts: ${text}${changed ? ' changed' : ''}`}
          title="Choose a saved context, one of a tag with this script, or one of an earlier run"
        >
          <span className={styles.contextName}>{text}</span>
          {changed && <span className={styles.contextChanged}> changed</span>}
        </Button>
      </MenuTrigger>
      <MenuPopover className={styles.contextList}>
        <MenuList>
          {named.length > 0 && (
            <MenuGroup>
              <MenuGroupHeader>Saved</MenuGroupHeader>
              {named.map((one) => (
                <MenuItem key={one.name} onClick={() => onChoose(plainContext(one), one.name)}>
                  <strong className={styles.savedName}>{one.name}</strong>{' '}
                  <span className={styles.savedParts}>
                    <ContextLine context={one} />
                  </span>
                </MenuItem>
              ))}
            </MenuGroup>
          )}
          {offered && (
            <MenuGroup>
              <MenuGroupHeader>Of the sample</MenuGroupHeader>
              <MenuItem onClick={() => onChoose(plainContext(offered), null)}>
                <ContextLine context={offered} />
              </MenuItem>
            </MenuGroup>
          )}
          {uses.length > 0 && (
            <MenuGroup>
              <MenuGroupHeader>Tags with this script</MenuGroupHeader>
              {uses.map((use) => (
                <MenuItem
                  key={`${use.path} ${use.member}`}
                  onClick={() => onChoose(contextOfUse(use, shown.context), null)}
                >
                  {use.member === 'writeScript' ? 'A write of' : 'A read of'} <TagPath path={use.path} />
                </MenuItem>
              ))}
            </MenuGroup>
          )}
          {used.length > 0 && (
            <MenuGroup>
              <MenuGroupHeader>Recent</MenuGroupHeader>
              {used.map((one) => (
                <MenuItem key={JSON.stringify(one)} onClick={() => onChoose(one, null)}>
                  <ContextLine context={one} />
                </MenuItem>
              ))}
            </MenuGroup>
          )}
          {(named.length > 0 || offered || uses.length > 0 || used.length > 0) && <MenuDivider />}
          <MenuItem onClick={() => onChoose(EMPTY_CONTEXT, null)}>Empty</MenuItem>
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
