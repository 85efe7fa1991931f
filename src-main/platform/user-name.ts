import { userInfo } from 'node:os';

/** The name of the operating system's user who runs this process; null if there is no account, as in a container. */
export function userName(): string | null {
  try {
    return userInfo().username.trim() || null;
  } catch {
    return null;
  }
}
