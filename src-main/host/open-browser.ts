/**
 * Whether windows can be shown: always if the system has one desktop, on Linux and the BSDs if a display server is set.
 */
export function hasDisplay(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
}

/** Opens the address in the default browser. False if there is none: the user can use the printed address. */
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
