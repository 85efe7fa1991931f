import { problemOfTagPath } from '#domain/tag/tag-path';
import { monaco } from '../monaco.ts';
import { markerOf, rangeOf } from './unknown-tags.ts';
import type { UnknownTag, UnknownTags } from './unknown-tags.ts';

const CREATE = 'tagwright.createTag';

/** Offers fixes for an unknown path (Ctrl+.). Returns the function that removes them. */
export function registerTagFixes(
  text: monaco.editor.ITextModel,
  unknown: UnknownTags,
  create: (path: string) => void,
): () => void {
  const command = monaco.editor.registerCommand(CREATE, (_services, path: unknown) => {
    if (typeof path === 'string') create(path);
  });
  const provider = monaco.languages.registerCodeActionProvider('javascript', {
    provideCodeActions: (model, range) => ({
      actions: model === text ? unknown.at(range).flatMap((tag) => fixesOf(model, tag)) : [],
      dispose: () => {},
    }),
  });
  return () => {
    command.dispose();
    provider.dispose();
  };
}

function fixesOf(model: monaco.editor.ITextModel, tag: UnknownTag): monaco.languages.CodeAction[] {
  const common = { kind: 'quickfix', diagnostics: [markerOf(model, tag)] };
  const quote = model.getValue().charAt(tag.start - 1);
  const changes = tag.nearest.map((path, index) => ({
    ...common,
    title: `Change to "${path}"`,
    isPreferred: index === 0,
    edit: {
      edits: [
        {
          resource: model.uri,
          versionId: model.getVersionId(),
          textEdit: { range: rangeOf(model, tag), text: escapedFor(quote, path) },
        },
      ],
    },
  }));
  const title = `Create the tag "${tag.path}"`;
  const creation = { ...common, title, command: { id: CREATE, title, arguments: [tag.path] } };
  return problemOfTagPath(tag.path) === null ? [...changes, creation] : changes;
}

/** A path, escaped for a literal with these quotes. */
function escapedFor(quote: string, path: string): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  return quote === '`' ? escaped.replaceAll('${', '\\${') : escaped;
}
