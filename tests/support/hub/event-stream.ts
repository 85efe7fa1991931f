import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

export interface StreamMessage {
  event: string;
  /** The last id that the stream has sent, with or before this message. */
  id: string;
  data: string;
}

/** A client of server-sent events, as a browser reads them (WHATWG HTML 9.2.6). */
export class EventStreamClient {
  readonly messages: StreamMessage[] = [];
  /** The id to continue after. */
  lastId: string;
  comments = 0;
  isEnded = false;
  readonly response: IncomingMessage;

  private constructor(response: IncomingMessage, lastId: string) {
    this.response = response;
    this.lastId = lastId;
    let rest = '';
    let message = { event: 'message', data: [] as string[] };
    // Counts with the end of its message, which may be lost.
    let id = lastId;
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [field, value] = fieldOf(line);
        if (line === '') {
          this.lastId = id;
          if (message.data.length > 0) {
            this.messages.push({ event: message.event, id: this.lastId, data: message.data.join('\n') });
          }
          message = { event: 'message', data: [] };
        } else if (field === '') this.comments += 1;
        else if (field === 'id') id = value;
        else if (field === 'event') message.event = value;
        else if (field === 'data') message.data.push(value);
      }
    });
    for (const end of ['close', 'error']) response.on(end, () => (this.isEnded = true));
  }

  /** Resolves when the headers are there. */
  static async open(url: string, lastId = '', more: Readonly<Record<string, string>> = {}): Promise<EventStreamClient> {
    const headers = { ...more, Accept: 'text/event-stream', ...(lastId === '' ? {} : { 'Last-Event-ID': lastId }) };
    const request = get(url, { headers, agent: false });
    const [response]: IncomingMessage[] = await once(request, 'response');
    if (!response) throw new Error('no response');
    request.on('error', () => {});
    return new EventStreamClient(response, lastId);
  }

  /** What was received, as `created 7`. */
  get changes(): string[] {
    return this.messages.map(({ event, data }) => {
      const { AggregationEventId: id }: { AggregationEventId?: number } = JSON.parse(data);
      return id === undefined ? event : `${event} ${id}`;
    });
  }

  /** Disconnects at once. */
  close(): void {
    this.response.destroy();
  }
}

/** A line is a field, or a field, a colon, perhaps a space, and a value. */
function fieldOf(line: string): [field: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)];
}
