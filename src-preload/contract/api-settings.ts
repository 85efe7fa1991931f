import { z } from 'zod';
import { API_MODES } from '#domain/mock/api-call';

const HOST = /^(?:\*\.)?(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/iu;
const host = z.string().max(300).regex(HOST, 'Expected a host: example.com, *.example.com, example.com:8443 or [::1]');
const hosts = z.array(host).max(200);
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'Expected the name of a header, such as X-API-Key');

/** The settings of API calls with their ranges. */
export const apiSettings = {
  'api.mode': z.enum(API_MODES),
  'api.record': z.boolean(),
  'api.timeoutMs': z.int().min(10).max(3_600_000),
  'api.maxRedirects': z.int().min(0).max(20),
  'api.maxResponseMb': z.int().min(1).max(256),
  'api.allowedHosts': hosts,
  'api.allowOwnPorts': z.boolean(),
  'api.caFiles': z.array(z.string().min(1).max(4_096)).max(50),
  'api.proxy': z
    .string()
    .max(2_000)
    .regex(/^(?:https?:\/\/[^\s/?#]+\/?)?$/, 'Expected http://host:port, or "" for none'),
  'api.noProxy': hosts,
  'api.keyHeader': headerName,
  'api.keyHeaders': z.record(host, headerName),
};
