import { Menu } from 'electron';

/** The menus that systems expect; what the product does is in its window. */
export function installMenu(): void {
  const ofTheSystem = process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : [];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...ofTheSystem,
      { role: 'fileMenu' },
      { role: 'editMenu' },
      { role: 'viewMenu' },
      { role: 'windowMenu' },
    ]),
  );
}
