import { useState } from 'react';
import { SCRIPT_LIMITS } from '#domain/run/script';
import { useWorkbench } from '../../../frame/workbench.ts';
import { deferred } from '../../../ui/deferred.tsx';
import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '../../../ui/fluent.ts';
import { type Doc, bytesTooMany, isDirty } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import { OtherDrafts } from './other-drafts.tsx';
import { clock, moment } from '../../../support/moment.ts';

const CompareDialog = deferred(async () => (await import('./compare-dialog.tsx')).CompareDialog);

interface Props {
  doc: Doc;
  onSave: () => void;
  onDiscard: () => void;
}

/** What you need to know about the script before you continue. */
export function DocBars(props: Props) {
  return (
    <>
      <StateBar {...props} />
      <OtherDrafts key={props.doc.editor} doc={props.doc} />
    </>
  );
}

function StateBar({ doc, onSave, onDiscard }: Props) {
  const { notify } = useWorkbench();
  const { model } = useScripts();
  const [comparing, setComparing] = useState(false);

  const tooMany = bytesTooMany(doc.text.body);

  if (tooMany !== null) {
    return (
      <MessageBar intent="error" layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>The script is too long to save</MessageBarTitle>
          It has {tooMany.toLocaleString('en')} bytes; a script has at most{' '}
          {SCRIPT_LIMITS.bodyBytes.toLocaleString('en')}. Your text is kept as a draft. Store large data in tags or in
          plant.db.
        </MessageBarBody>
      </MessageBar>
    );
  }
  if (doc.deleted) {
    return (
      <MessageBar intent="warning">
        <MessageBarBody>
          <MessageBarTitle>This script was deleted</MessageBarTitle>
          Save to create a new script from the current text.
        </MessageBarBody>
        <MessageBarActions>
          <Button size="small" onClick={onSave}>
            Save as a new script
          </Button>
        </MessageBarActions>
      </MessageBar>
    );
  }
  if (doc.theirs) {
    const { version, savedAt } = doc.theirs;
    const takeTheirs = () => {
      const mine = model.takeTheirs(doc.key);
      setComparing(false);
      if (mine === null) return;
      notify({
        intent: 'info',
        title: `Version ${version} is shown`,
        action: { label: 'Restore mine', run: () => model.replace(doc.key, mine) },
      });
    };
    const keepMine = () => {
      setComparing(false);
      model.keepMine(doc.key);
      onSave();
    };
    return (
      <>
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>Another window saved version {version}</MessageBarTitle>
            at {clock(new Date(savedAt))}. Your text is kept as a draft; both texts are kept.
          </MessageBarBody>
          <MessageBarActions>
            <Button size="small" onClick={() => setComparing(true)}>
              Compare
            </Button>
            <Button size="small" onClick={takeTheirs}>
              Use theirs
            </Button>
            <Button size="small" appearance="primary" onClick={keepMine}>
              Keep mine as a new version
            </Button>
          </MessageBarActions>
        </MessageBar>
        {comparing && (
          <CompareDialog
            title={`Version ${version} of the other window (left) and your version (right)`}
            theirs={{ text: doc.theirs.body, label: 'Version of the other window' }}
            mine={{ text: doc.text.body, label: 'Yours' }}
            actions={
              <>
                <Button onClick={takeTheirs}>Use theirs</Button>
                <Button appearance="primary" onClick={keepMine}>
                  Keep mine as a new version
                </Button>
              </>
            }
            onClose={() => setComparing(false)}
          />
        )}
      </>
    );
  }
  if (doc.restoredFrom !== null && isDirty(doc)) {
    return (
      <MessageBar intent="info">
        <MessageBarBody>
          <MessageBarTitle>Draft</MessageBarTitle>
          from {moment(new Date(doc.restoredFrom))}, not saved.
        </MessageBarBody>
        <MessageBarActions>
          <Button size="small" onClick={onDiscard}>
            Discard draft
          </Button>
        </MessageBarActions>
      </MessageBar>
    );
  }
  return null;
}
