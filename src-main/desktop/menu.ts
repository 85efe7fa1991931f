import type { MenuItemConstructorOptions } from 'electron';
import { Menu } from 'electron';
import type { OfferedCommand } from '#contract/bridge';

export interface MenuActions {
  run(command: string): void;
  exportFolder(): void;
  importFolder(): void;
}

/** The native menu: what systems expect, and every command of the workbench under its heading. */
export function installMenu(commands: readonly OfferedCommand[], actions: MenuActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(commands, actions, process.platform)));
}

/**
 * The content of the menu. Commands come from the workbench as in the palette, so that there is only one list of them;
 * their keys are only shown, because the page handles them itself.
 */
export function menuTemplate(
  commands: readonly OfferedCommand[],
  actions: MenuActions,
  platform: NodeJS.Platform,
): MenuItemConstructorOptions[] {
  const sections = Map.groupBy(commands, ({ section }) => section);
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        { label: '&Export to a Folder…', click: () => actions.exportFolder() },
        { label: '&Import from a Folder…', click: () => actions.importFolder() },
        { type: 'separator' },
        platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    ...[...sections].map(([section, within]): MenuItemConstructorOptions => ({
      label: escaped(section),
      submenu: within.map(({ id, title, keys, enabled }) => ({
        id,
        label: escaped(title),
        enabled,
        ...(isAccelerator(keys) && { accelerator: accelerator(keys), registerAccelerator: false }),
        click: () => actions.run(id),
      })),
    })),
    {
      role: 'viewMenu',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
  ];
}

/** In labels of menus `&` marks the key of the item. */
function escaped(text: string): string {
  return text.replaceAll('&', '&&');
}

/** On macOS the key of commands is Cmd, which the workbench calls Ctrl. */
function accelerator(keys: string): string {
  return keys.replace(/^Ctrl\b/, 'CmdOrCtrl');
}

/** Electron throws for an unknown accelerator, and the whole menu would be missing. */
function isAccelerator(keys: string): boolean {
  return /^(?:(?:Ctrl|Alt|Shift)\+)*(?:[A-Z0-9]|F\d{1,2}|Space|Tab|Enter|Delete|Backspace|Escape|Home|End|[,./\\;'=-])$/.test(
    keys,
  );
}
