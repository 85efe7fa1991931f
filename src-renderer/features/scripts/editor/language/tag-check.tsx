import { useEffect } from 'react';
import { stayCurrent } from '../../../../client/stay-current.ts';
import { newTagTarget } from '../../../../frame/new-tag.ts';
import { useWorkbench } from '../../../../frame/workbench.ts';
import { useScripts } from '../../scripts-context.ts';
import { monaco } from '../monaco.ts';
import { registerTagFixes } from './tag-fixes.ts';
import { UnknownTags } from './unknown-tags.ts';

/** Checks the paths in the visible text while the view is visible; renders nothing. */
export function TagCheck({ text, active }: { text: string; active: boolean }) {
  const { client, show } = useWorkbench();
  const { model: scripts } = useScripts();
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const begin = (model: monaco.editor.ITextModel) => {
      const unknown = new UnknownTags(client.tags, model);
      const unfollow = scripts.onStaleDiagnostics((editor) => {
        if (editor === text) void unknown.check();
      });
      const unregister = registerTagFixes(model, unknown, (path) => show('tags', newTagTarget(path)));
      void stayCurrent(
        {
          changes: [(signal) => client.tags.changes(undefined, { signal })],
          read: async () => {
            unknown.tagsChanged();
            scripts.documentOf(text)?.checkSoon();
          },
        },
        end.signal,
      );
      end.signal.addEventListener('abort', () => {
        unfollow();
        unregister();
        unknown.dispose();
      });
    };
    const uri = monaco.Uri.parse(`file:///scripts/${text}.js`).toString();
    const there = monaco.editor.getModels().find((model) => model.uri.toString() === uri);
    if (there) begin(there);
    // The editor creates the model when it first shows the text, which may be later.
    else {
      const waiting = monaco.editor.onDidCreateModel((model) => {
        if (model.uri.toString() !== uri) return;
        waiting.dispose();
        begin(model);
      });
      end.signal.addEventListener('abort', () => waiting.dispose());
    }
    return () => end.abort();
  }, [client, show, scripts, text, active]);
  return null;
}
