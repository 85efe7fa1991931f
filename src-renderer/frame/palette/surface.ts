/** Below the top edge, close to the editor. Inline, to override the dialog's own position. */
export const SURFACE = {
  inset: '48px auto auto 50%',
  translate: '-50% 0',
  margin: 0,
  padding: 0,
  width: 'min(640px, calc(100vw - 32px))',
  maxWidth: 'none',
  overflow: 'hidden',
  border: '1px solid var(--colorNeutralStroke1)',
} as const;
