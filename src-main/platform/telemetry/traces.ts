import { setTimeout as pause } from 'node:timers/promises';
import type { SpanContext } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ObservedRequest } from './observed-request.ts';

/** How long the last spans may take to be sent, ms. */
const SHUTDOWN_MS = 1_000;
/** W3C Trace Context. */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/;

/** Sends a span of each request to the collector that the environment names, with OTLP over HTTP. */
export function startTraces({ service, version }: { service: string; version: string }) {
  const name = process.env['OTEL_SERVICE_NAME'] ?? service;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('tagwright', version);
  return {
    observe: ({ method, path, traceparent, ended }: ObservedRequest): void => {
      const parent = parentOf(traceparent);
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'url.path': path } },
        parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      );
      void ended.then(({ route, status }) => {
        span.updateName(`${method} ${route}`);
        span.setAttribute('http.route', route);
        if (status > 0) span.setAttribute('http.response.status_code', status);
        if (status === 0 || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
    },
    // A collector that is not available must not keep the process from ending.
    close: async () => {
      const over = pause(SHUTDOWN_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown().catch(() => undefined), over]);
    },
  };
}

function parentOf(traceparent: string | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
