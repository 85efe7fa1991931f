import { useState } from 'react';
import { type Draft, type DraftSummary, partsOfDraftKey } from '#domain/run/script';
import { useWorkbench } from '../../../frame/workbench.ts';
import { moment } from '../../../support/moment.ts';
import { useStore } from '../../../support/store.ts';
import { deferred } from '../../../ui/deferred.tsx';
import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '../../../ui/fluent.ts';
import { useScriptActions } from '../explorer/use-script-actions.ts';
import type { Doc } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';

const CompareDialog = deferred(async () => (await import('./compare-dialog.tsx')).CompareDialog);

/** The drafts that other windows have of the script: each can be compared, used, and discarded if its window is closed. */
export function OtherDrafts({ doc }: { doc: Doc }) {
  const { model } = useScripts();
  const { attempt } = useScriptActions();
  const others = useStore(model.store, (state) => state.others);
  const [shown, setShown] = useState<Draft | null>(null);
  const drafts = others.filter(({ key }) => partsOfDraftKey(key).script === doc.key);
  return (
    <>
      {drafts.map((draft) => (
        <MessageBar key={draft.key} intent="info">
          <MessageBarBody>
            <MessageBarTitle>
              {draft.isOpen ? 'Another window has a draft' : 'A closed window left a draft'}
            </MessageBarTitle>
            of this script, from {moment(new Date(draft.changedAt))}.
          </MessageBarBody>
          <MessageBarActions>
            <Button
              size="small"
              onClick={() =>
                void attempt('The drafts were not compared', async () => setShown(await model.otherDraft(draft.key)))
              }
            >
              Compare drafts
            </Button>
          </MessageBarActions>
        </MessageBar>
      ))}
      {shown && (
        <Comparison
          doc={doc}
          draft={shown}
          isOpen={drafts.find(({ key }) => key === shown.key)?.isOpen ?? false}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

interface ComparisonProps {
  doc: Doc;
  draft: Draft;
  isOpen: DraftSummary['isOpen'];
  onClose: () => void;
}

function Comparison({ doc, draft, isOpen, onClose }: ComparisonProps) {
  const { notify } = useWorkbench();
  const { model } = useScripts();
  const { attempt } = useScriptActions();
  const discard = () => attempt('The draft was not discarded', () => model.discardOther(draft.key));
  const continueWith = () => {
    onClose();
    const mine = model.adoptDraft(doc.key, draft);
    if (mine === null) return;
    // An open window keeps its own.
    if (!isOpen) void discard();
    notify({
      intent: 'info',
      title: 'Now editing the other draft',
      action: { label: 'Restore mine', run: () => model.replace(doc.key, mine) },
    });
  };
  const discardTheirs = async () => {
    onClose();
    if (!(await discard())) return;
    const restore = () => attempt('The draft was not restored', () => model.restoreOther(draft));
    notify({ intent: 'info', title: 'Draft discarded', action: { label: 'Undo', run: () => void restore() } });
  };
  return (
    <CompareDialog
      title={`Draft of ${isOpen ? 'another' : 'a closed'} window (left) and your text (right)`}
      theirs={{ text: draft.body, label: 'Draft of the other window' }}
      mine={{ text: doc.text.body, label: 'Yours' }}
      actions={
        <>
          {!isOpen && <Button onClick={() => void discardTheirs()}>Discard theirs</Button>}
          <Button onClick={continueWith}>Use theirs</Button>
        </>
      }
      onClose={onClose}
    />
  );
}
