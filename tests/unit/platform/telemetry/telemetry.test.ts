import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inSpan, outsideRequests, sqlSpan } from '../../../../src-main/platform/telemetry/spans.ts';
import type { TelemetryOptions } from '../../../../src-main/platform/telemetry/telemetry.ts';
import { startTelemetry } from '../../../../src-main/platform/telemetry/telemetry.ts';

const OFF: TelemetryOptions = {
  service: 'tagwright',
  version: '9.8.7',
  metrics: null,
  collect: async () => [],
  ready: async () => undefined,
  log: { warn: () => undefined },
};
const METRICS = { port: 0, address: '127.0.0.1' };

async function serverOf(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port }: AddressInfo = Object(server.address());
  return `http://127.0.0.1:${port}`;
}

const answer: RequestListener = (request, response) => {
  const isStream = request.headers.accept === 'text/event-stream';
  response.statusCode = request.method === 'PUT' ? 503 : 200;
  response.setHeader('Content-Type', isStream ? 'text/event-stream' : 'text/plain').end('x');
};

test('without metrics and a collector, nothing is observed', async () => {
  const telemetry = await startTelemetry(OFF);
  expect(telemetry.url).toBeNull();
  expect(telemetry.observe(answer)).toBe(answer);
  await telemetry.close();
});

test('metrics count requests by what they are for, and have the given values', async () => {
  let isReady = true;
  const samples = [
    { name: 'tagwright_events', help: 'Events.', labels: { state: 'active' }, value: 7 },
    { name: 'tagwright_degraded', help: 'Why.', labels: { code: 'storage-full' }, value: 1 },
  ];
  const telemetry = await startTelemetry({
    ...OFF,
    metrics: METRICS,
    collect: async () => samples,
    ready: async () => {
      if (!isReady) throw new Error('the disk is full');
    },
  });
  onTestFinished(() => telemetry.close());
  const url = await serverOf(telemetry.observe(answer));
  await fetch(`${url}/api/events?limit=3`);
  await fetch(`${url}/sites/leeds/api/events`);
  await fetch(`${url}/sites/leeds/api/events/17`, { method: 'PUT' });
  await fetch(`${url}/api/events`, { headers: { Accept: 'text/event-stream' } });
  await fetch(`${url}/anything/else`);
  const scrape = async () => (await fetch(telemetry.url ?? '')).text();
  await vi.waitFor(async () => {
    const text = await scrape();
    expect(text).toContain('tagwright_http_requests_total{method="GET",route="list",status="200"} 2');
    expect(text).toContain('tagwright_http_requests_total{method="PUT",route="event",status="503"} 1');
    expect(text).toContain('tagwright_http_requests_total{method="GET",route="stream",status="200"} 1');
    expect(text).toContain('tagwright_http_requests_total{method="GET",route="other",status="200"} 1');
    expect(text).toContain('tagwright_http_request_duration_seconds_count{method="GET",route="list"} 2');
    expect(text).not.toContain('tagwright_http_request_duration_seconds_count{method="GET",route="stream"}');
    expect(text).toContain('# HELP tagwright_events Events.\n# TYPE tagwright_events gauge\n');
    expect(text).toContain('tagwright_events{state="active"} 7');
    expect(text).toContain('tagwright_degraded{code="storage-full"} 1');
    expect(text).toMatch(/nodejs_eventloop_lag_seconds \d/);
  });
  samples.pop();
  expect(await scrape()).not.toContain('storage-full');
  const base = (telemetry.url ?? '').replace('/metrics', '');
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
  isReady = false;
  const unready = await fetch(`${base}/readyz`);
  expect([unready.status, await unready.text()]).toEqual([503, 'the disk is full\n']);
  expect((await fetch(base)).status).toBe(404);
  expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(405);
});

test('traces are sent to the collector of the environment', async () => {
  const received: string[] = [];
  const collector = await serverOf((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      received.push(`${request.url} ${text.toString()}`);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector);
  onTestFinished(() => void vi.unstubAllEnvs());
  const telemetry = await startTelemetry(OFF);
  const url = await serverOf(telemetry.observe(answer));
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  await fetch(`${url}/api/events/17?x=secret`, { method: 'PUT', headers });
  await fetch(`${url}/api/events`, { headers: { traceparent: 'nonsense' } });
  await new Promise((next) => setTimeout(next, 50));
  await telemetry.close();
  const text = received.join('\n');
  expect(text).toMatch(/^\/v1\/traces /);
  for (const part of [traceId, '00f067aa0ba902b7', 'PUT event', 'GET list', '/api/events/17', 'tagwright']) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('secret');
});

test('steps belong to the trace of their request, or begin their own', async () => {
  const spans: { name: string; traceId: string; spanId: string; parentSpanId?: string; status: { code?: number } }[] =
    [];
  const collector = await serverOf((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      for (const { scopeSpans } of JSON.parse(text.toString()).resourceSpans) spans.push(...scopeSpans[0].spans);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  const select = () => inSpan(sqlSpan('postgresql', 'SELECT'), () => Promise.resolve('row'));
  expect(await select()).toBe('row');
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector);
  onTestFinished(() => void vi.unstubAllEnvs());
  const telemetry = await startTelemetry(OFF);
  const work = async () => {
    await select();
    await outsideRequests(select);
    const failed = inSpan(sqlSpan('sqlite', 'COMMIT'), () => Promise.reject(new Error('full')));
    await expect(failed).rejects.toThrow('full');
  };
  const url = await serverOf(
    telemetry.observe((request, response) => {
      void work().then(() => answer(request, response));
    }),
  );
  await (await fetch(`${url}/api/events`)).text();
  expect(await select()).toBe('row');
  await inSpan({ name: 'mirror step', isRoot: true }, select);
  await new Promise((next) => setTimeout(next, 50));
  await telemetry.close();
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [[request], [step], [commit]] = [named('GET list'), named('mirror step'), named('COMMIT sqlite')];
  expect(named('SELECT postgresql').map(({ parentSpanId }) => parentSpanId)).toEqual([request?.spanId, step?.spanId]);
  expect(commit).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId, status: { code: 2 } });
  expect(step?.traceId).not.toBe(request?.traceId);
  expect(spans).toHaveLength(5);
  expect(await inSpan({ name: 'late', isRoot: true }, select)).toBe('row');
});

test('a collector that is not there does not keep it from ending', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const telemetry = await startTelemetry({ ...OFF, metrics: METRICS });
  const url = await serverOf(telemetry.observe(answer));
  expect((await fetch(`${url}/api/events`)).status).toBe(200);
  await telemetry.close();
});
