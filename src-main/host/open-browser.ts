/** Whether windows can be shown: always where the system has one desktop, on Linux and the BSDs where a server is named. */
export function hasDisplay(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
}

/** Opens the address in the default browser. False where there is none: the printed address does as well. */
export async function openInBrowser(url: string): Promise<boolean> {
  if (!hasDisplay(process.platform, process.env)) return false;
  try {
    const { default: open } = await import('open');
    const opener = await open(url);
    opener.on('error', () => {});
    return true;
  } catch {
    return false;
  }
}
