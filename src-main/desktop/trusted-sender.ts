import type { WebContents, WebFrameMain } from 'electron';
import { APP_ORIGIN } from '#contract/bridge';

/** The sender of a message: its frame is null if it no longer exists. */
export interface Message {
  senderFrame: WebFrameMain | null;
}

/** Whether a message comes from the top frame of our window, and from one of our pages. */
export function isTrustedSender({ senderFrame }: Message, contents: WebContents): boolean {
  return senderFrame !== null && senderFrame === contents.mainFrame && isOurPage(senderFrame.url);
}

/** Custom schemes have no origin of their own in WHATWG URLs: scheme and host are compared. */
export function isOurPage(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && `${parsed.protocol}//${parsed.host}` === APP_ORIGIN;
}
