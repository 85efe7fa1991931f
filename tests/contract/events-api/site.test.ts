import { describe, onTestFinished } from 'vitest';
import { EventStreamClient } from '../../support/hub/event-stream.ts';
import { startApi } from '../../unit/events/api/start-api.ts';
import { eventSuite } from './event-suite.ts';
import { listSuite } from './list-suite.ts';
import type { StartServedApi } from './served-api.ts';
import { sendRaw } from './served-api.ts';
import { streamSuite } from './stream-suite.ts';

const start: StartServedApi = async (options = {}) => {
  const { url, call, put, source } = await startApi(options);
  return {
    base: '',
    call,
    put,
    raw: (method, path, headers = '', body = '') => sendRaw(url(), { method, path, headers, body }),
    stream: async (query = '', lastId = '') => {
      const client = await EventStreamClient.open(`${url()}/api/events${query}`, lastId);
      onTestFinished(() => client.close());
      return client;
    },
    site: {
      add: async (event) => source.add(event),
      setActive: async (id, active) => void (await source.setActive(id, active)),
      delete: async (id) => void (await source.delete(id)),
    },
  };
};

describe('the events API of a site', () => {
  listSuite(start);
  eventSuite(start);
  streamSuite(start, /^0$/);
});
