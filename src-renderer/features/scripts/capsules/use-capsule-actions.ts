import { useState } from 'react';
import type { OpenedCapsule } from '#domain/run/replay';
import type { RunReport } from '#domain/run/run';
import { useWorkbench } from '../../../frame/workbench.ts';
import { saveBlob } from '../../../support/files.ts';
import { gunzipped } from '../../../support/gzip.ts';
import { moment } from '../../../support/moment.ts';
import type { CapsuleSource, EndedReplay } from '../model/capsules.ts';
import { capsuleFileName, maskedText } from '../model/replay-text.ts';
import type { Doc } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';

/** What a person can do with the open capsule of a script. */
export function useCapsuleActions(doc: Doc) {
  const { client, notify } = useWorkbench();
  const { capsules, runs, live, tests, shownTest } = useScripts();
  const [isBusy, setBusy] = useState(false);
  const { editor: key, scriptId } = doc;

  const attempt = async (failed: string, act: () => Promise<void>) => {
    setBusy(true);
    try {
      await act();
    } catch (error) {
      notify({ intent: 'error', title: failed, error });
    } finally {
      setBusy(false);
    }
  };
  const save = (capsule: OpenedCapsule, source: CapsuleSource) =>
    attempt('The capsule was not saved', async () => {
      if (!('run' in source)) return;
      const { capsule: packed, problem } = await client.journal.capsule({ id: source.run.id, gzip: true });
      if (packed === null) throw new Error(`Run ${source.run.id} has no capsule: ${problem ?? 'it was not recorded'}.`);
      const name = capsuleFileName(capsule.script.name, capsule);
      saveBlob(name, new Blob([await gunzipped(packed)], { type: 'application/json;charset=utf-8' }));
      const body = maskedText(capsule.masked) ?? 'It contains no secret that Tagwright knows.';
      notify({ intent: 'success', title: `Saved “${name}”`, body });
    });
  const makeTest = (capsule: OpenedCapsule) =>
    attempt('The test was not made', async () => {
      if (scriptId === null) return;
      const name = tests.freeName(scriptId, `Run of ${moment(new Date(capsule.report.timing.startedAt))}`);
      const { test, lost } = await client.capsules.test({ key: capsule.key, name });
      const saved = await tests.save(scriptId, test);
      notify({
        intent: 'success',
        title: `Added the test “${saved.name}”`,
        body: lost.length === 0 ? 'It expects what the recorded run did.' : `It does not have: ${lost.join('; ')}.`,
        action: { label: 'Edit the test', run: () => shownTest.set({ id: saved.id, place: null }) },
      });
    });
  /** Shows a run in the other tabs, and next to its lines. */
  const showRun = (report: RunReport, body: string, ended: EndedReplay | null = null) => {
    const context = capsules.of(key).opened?.capsule.context;
    if (!context) return;
    const values = ended?.replay.values;
    runs.show(key, { outcome: { kind: 'report', report }, body, context, ...(values && { values }) });
    live.show(key, false);
  };
  /** Replays the text in the editor, and shows what its variables become. */
  const showValues = async () => {
    const ended = await capsules.replay(key, doc.text.body, true);
    if (ended) showRun(ended.replay.report, ended.body, ended);
  };
  return { isBusy, save, makeTest, showRun, showValues };
}
