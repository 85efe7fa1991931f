import type { IpcMainEvent, WebContents } from 'electron';
import { ipcMain } from 'electron';
import { z } from 'zod';
import type { DesktopRequest, OfferedCommand } from '#contract/bridge';
import { OFFER_CHANNEL, REQUEST_CHANNEL } from '#contract/bridge';
import type { Log } from '../platform/log.ts';
import { isTrustedSender } from './trusted-sender.ts';

const text = z.string().max(200);
const offered = z
  .array(z.object({ id: text.min(1), title: text.min(1), section: text.min(1), keys: text, enabled: z.boolean() }))
  .max(2_000);

/** Older links are no longer expected: any page of a browser can open them, without limit. */
const MOST_WAITING = 20;

/**
 * The messages between main and the page of the workbench besides the port: the page sends its commands, main sends
 * requests. Requests wait until the page listens.
 */
export class PageBridge {
  readonly #log: Log;
  readonly #onOffer: (commands: OfferedCommand[]) => void;
  #page: WebContents | null = null;
  #listening = false;
  #waiting: DesktopRequest[] = [];

  constructor(log: Log, onOffer: (commands: OfferedCommand[]) => void) {
    this.#log = log;
    this.#onOffer = onOffer;
    ipcMain.on(OFFER_CHANNEL, this.#offer);
  }

  /** The current page of the workbench. */
  follow(page: WebContents): void {
    this.#page = page;
    this.#listening = false;
    const deaf = () => {
      if (this.#page === page) this.#listening = false;
    };
    page.on('did-navigate', deaf);
    page.on('render-process-gone', deaf);
    page.on('destroyed', () => {
      if (this.#page === page) this.#page = null;
    });
  }

  request(request: DesktopRequest): void {
    if (this.#listening && this.#page) this.#page.send(REQUEST_CHANNEL, request);
    else this.#waiting = [...this.#waiting, request].slice(-MOST_WAITING);
  }

  close(): void {
    ipcMain.off(OFFER_CHANNEL, this.#offer);
  }

  readonly #offer = (event: IpcMainEvent, commands: unknown) => {
    // A window of a Diagram has no commands; only the workbench makes the menu.
    if (!this.#page || !isTrustedSender(event, this.#page)) {
      this.#log.warn('rejected commands that do not come from our page');
      return;
    }
    const checked = offered.safeParse(commands);
    if (!checked.success) {
      this.#log.warn('rejected invalid commands of a page', { why: checked.error.message });
      return;
    }
    this.#listening = true;
    this.#onOffer(checked.data);
    for (const request of this.#waiting.splice(0)) this.#page.send(REQUEST_CHANNEL, request);
  };
}
