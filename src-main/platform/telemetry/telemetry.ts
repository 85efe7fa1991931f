import { createServer, type RequestListener } from 'node:http';
import type { Log } from '../log.ts';
import { isOurHost, listenOn, LOOPBACK } from '../http/loopback.ts';
import { observedRequest } from './observed-request.ts';

/** A value at the time of a scrape. */
export interface MetricSample {
  name: string;
  help: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

export interface TelemetryOptions {
  /** `tagwright` or `tagwright-gateway`, as traces name it. */
  service: string;
  version: string;
  /** Where metrics are served; null: nowhere. */
  metrics: { port: number; address: string } | null;
  /** Read at each scrape. */
  collect: () => Promise<readonly MetricSample[]>;
  /** Rejects with the reason while it can't do its work. */
  ready: () => Promise<unknown>;
  log: Pick<Log, 'warn'>;
}

/** Metrics and traces of a process. */
export interface Telemetry {
  /** The address of the metrics; null if there are none. */
  readonly url: string | null;
  /** Counts and traces the requests of a server. */
  observe(handler: RequestListener): RequestListener;
  close(): Promise<void>;
}

/** Requests take from half a millisecond to a list of a million events. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Starts the parts that are turned on: metrics of Prometheus on a port of their own, with `/healthz` and `/readyz`, and traces of
 * OpenTelemetry, if the environment names a collector (OTEL_EXPORTER_OTLP_ENDPOINT). Their libraries are loaded only then.
 * @throws TagwrightError PORT_TAKEN
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const traces = tracesAreOn(process.env) ? (await import('./traces.ts')).startTraces(options) : null;
  const metrics = options.metrics === null ? null : await startMetrics(options.metrics, options);
  return {
    url: metrics?.url ?? null,
    observe: (handler) => {
      if (!traces && !metrics) return handler;
      return (request, response) => {
        const observed = observedRequest(request, response);
        metrics?.observe(observed);
        if (traces) traces.observe(observed, () => handler(request, response));
        else handler(request, response);
      };
    },
    close: async () => {
      await metrics?.close();
      await traces?.close();
    },
  };
}

function tracesAreOn(env: NodeJS.ProcessEnv): boolean {
  if (env['OTEL_SDK_DISABLED'] === 'true') return false;
  return Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
}

async function startMetrics(
  { port, address }: { port: number; address: string },
  { collect, ready }: Pick<TelemetryOptions, 'collect' | 'ready'>,
) {
  const { default: prometheus } = await import('prom-client');
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  const requests = new prometheus.Counter({
    name: 'tagwright_http_requests_total',
    help: 'Responses of the events API.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new prometheus.Histogram({
    name: 'tagwright_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its response, without streams.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers: [registry],
  });
  const gauges = new Map<string, InstanceType<typeof prometheus.Gauge<string>>>();
  const measure = async (): Promise<void> => {
    for (const gauge of gauges.values()) gauge.reset();
    for (const { name, help, labels = {}, value } of await collect()) {
      const known = gauges.get(name);
      const gauge =
        known ?? new prometheus.Gauge({ name, help, labelNames: Object.keys(labels), registers: [registry] });
      gauges.set(name, gauge);
      gauge.set(labels, value);
    }
  };
  const isLocal = address === LOOPBACK;
  let bound = port;
  const server = createServer((request, response) => {
    const send = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
    };
    if (isLocal && !isOurHost(request.headers.host, bound)) return send(421, 'Use 127.0.0.1 as the host.\n');
    if (request.method !== 'GET') return send(405, 'Use GET.\n');
    const failed = (thrown: unknown) => send(503, `${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    if (request.url === '/healthz') return send(200, 'ok\n');
    if (request.url === '/readyz') return void ready().then(() => send(200, 'ok\n'), failed);
    if (request.url !== '/metrics') return send(404, 'Metrics are at /metrics.\n');
    measure()
      .then(() => registry.metrics())
      .then((text) => send(200, text, registry.contentType), failed);
  });
  server.maxConnections = 32;
  server.requestTimeout = 10_000;
  bound = await listenOn(server, port, address);
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${bound}/metrics`,
    observe: ({ method, ended }: ReturnType<typeof observedRequest>) => {
      void ended.then(({ route, status, ms }) => {
        requests.inc({ method, route, status: String(status) });
        if (route !== 'stream') seconds.observe({ method, route }, ms / 1_000);
      });
    },
    close: () =>
      new Promise<void>((resolve) => {
        registry.clear();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
