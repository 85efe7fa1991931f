import { folderAfterRename, isInFolder, problemOfFolder, tidyFolder } from '#domain/mock/mock-folder';
import { sentence } from '../../../client/issues.ts';
import { TextDialog } from '../../../ui/dialogs/text-dialog.tsx';

interface Props {
  path: string;
  folders: readonly string[];
  onRename: (to: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for another name of a folder, or another place: everything in it moves with it. */
export function RenameDialog({ path, folders, onRename, onClose }: Props) {
  const inside = folders.filter((folder) => isInFolder(folder, path));
  return (
    <TextDialog
      title={`Rename or move “${path}”`}
      label="Folder, such as ERP/Orders"
      initial={path}
      action="Rename"
      problemOf={(text) => {
        const to = tidyFolder(text);
        const problems = [to, ...inside.map((folder) => folderAfterRename(folder, path, to))].map(problemOfFolder);
        const problem = problems.find((one) => one !== null);
        return problem === undefined ? null : sentence(problem);
      }}
      onDone={async (text) => {
        const to = tidyFolder(text);
        if (to !== path) await onRename(to);
      }}
      onClose={onClose}
    />
  );
}
