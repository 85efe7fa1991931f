interface Box {
  signal?: AbortSignal;
  buttons: string[];
  cancelId: number;
}

/** Message boxes that stay open until a test presses a button, and one folder to choose. */
export const dialog = {
  showErrorBox: (title: string, content: string) => void process.stderr.write(`[box] ${title}: ${content}\n`),
  /** The boxes that were shown, and the button that is pressed in the next one; undefined leaves it open. */
  shown: [] as unknown[],
  answer: undefined as number | undefined,
  folder: null as string | null,
  standing: null as ((button: string) => boolean) | null,
  showMessageBox: (_window: unknown, options: Box) => {
    const { signal, ...box } = options;
    dialog.shown.push(box);
    const { answer } = dialog;
    if (answer !== undefined) return Promise.resolve({ response: answer });
    return new Promise((resolve) => {
      const close = (response: number) => {
        dialog.standing = null;
        resolve({ response });
      };
      dialog.standing = (button) => {
        const response = options.buttons.indexOf(button);
        if (response >= 0) close(response);
        return response >= 0;
      };
      signal?.addEventListener('abort', () => close(options.cancelId));
    });
  },
  showOpenDialog: async () =>
    dialog.folder === null ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [dialog.folder] },
};
