import { contextsFileOf } from '#contract/runs/run-contexts';
import { testsFileOf } from '#contract/texts/script-test-text';
import type { MissingName, TagUseKind } from '#domain/tag/usage';
import type { InstanceClient } from '../host/instance-client.ts';
import { bodyFile, FILES } from './folder-format.ts';

/** The file of each kind of items. Drafts are not in a folder. */
const FILE_OF: Record<TagUseKind, string> = {
  scripts: FILES.scripts,
  drafts: '',
  contexts: FILES.scripts,
  tags: FILES.tags,
  rules: FILES.rules,
  diagrams: FILES.diagrams,
  tests: FILES.scripts,
  mocks: FILES.mocks,
};

/** The references of a workspace to missing items, each with file, item and field, for people. */
export async function missingNames(client: InstanceClient): Promise<string[]> {
  return (await client.tags.missing()).map(textOf);
}

function textOf({ kind, item, script, member, name }: MissingName): string {
  const fileOf = kind === 'contexts' ? contextsFileOf : testsFileOf;
  const file = script === null ? FILE_OF[kind] : fileOf(bodyFile(script));
  return `${file}: ${item}, ${member}: "${name}" does not exist`;
}
