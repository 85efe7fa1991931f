import { type DragEvent as ReactDragEvent, useState } from 'react';

/**
 * The attributes of an element that takes dropped files. `onFiles` reads them with `droppedFiles`, before its first wait.
 * `data-dropping` is set while files are dragged over it.
 */
export function useFileDrop(onFiles: (transfer: DataTransfer) => void) {
  const [dropping, setDropping] = useState(false);
  // Events of dialogs reach the components around them, but not their elements.
  const accepts = ({ dataTransfer, currentTarget, target }: ReactDragEvent) =>
    dataTransfer.types.includes('Files') && target instanceof Node && currentTarget.contains(target);
  return {
    ...(dropping && { 'data-dropping': true }),
    onDragOver: (event: ReactDragEvent) => {
      if (!accepts(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setDropping(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: ReactDragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDropping(false);
    },
    onDrop: (event: ReactDragEvent) => {
      setDropping(false);
      if (!accepts(event)) return;
      event.preventDefault();
      onFiles(event.dataTransfer);
    },
  };
}

/** Fields in which dropped links and pasted texts become text. */
export const TEXT_FIELDS = 'input, textarea, [contenteditable]';

/**
 * Ignores files and links that are dropped outside of the elements that accept them: a browser would leave the page and open
 * them, and unsaved changes would be lost.
 */
export function refuseDrops(page: Window): void {
  const refuse = (event: DragEvent) => {
    const { dataTransfer, target } = event;
    if (event.defaultPrevented || dataTransfer === null) return;
    const isText = target instanceof Element && target.closest(TEXT_FIELDS) !== null;
    const leaves = dataTransfer.types.includes('Files') || (dataTransfer.types.includes('text/uri-list') && !isText);
    if (!leaves) return;
    event.preventDefault();
    dataTransfer.dropEffect = 'none';
  };
  // The editor would insert the name of a file. Other dropped text it may take.
  const refuseInEditor = (event: DragEvent) => {
    const isFile = event.dataTransfer?.types.includes('Files') === true;
    if (!isFile || !(event.target instanceof Element) || !event.target.closest('.monaco-editor')) return;
    event.stopPropagation();
    refuse(event);
  };
  for (const name of ['dragover', 'drop'] as const) {
    page.addEventListener(name, refuseInEditor, { capture: true });
    page.addEventListener(name, refuse);
  }
}
