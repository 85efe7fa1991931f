import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Span, SpanContext } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ObservedRequest } from './observed-request.ts';
import { recordSpans } from './spans.ts';

/** How long the last spans may take to be sent, ms. */
const SHUTDOWN_MS = 1_000;
/** W3C Trace Context. */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/;

/** Sends a span of each request, and of its steps, to the collector that the environment names, with OTLP over HTTP. */
export function startTraces({ service, version }: { service: string; version: string }) {
  const name = process.env['OTEL_SERVICE_NAME'] ?? service;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('tagwright', version);
  const inProgress = new AsyncLocalStorage<Span>();
  recordSpans((options, work) => {
    const parent = inProgress.getStore();
    if (!parent && !options.isRoot) return work();
    const isDatabase = options.attributes?.['db.system.name'] !== undefined;
    const span = tracer.startSpan(
      options.name,
      { kind: isDatabase ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: options.attributes ?? {} },
      parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    );
    return inProgress.run(span, async () => {
      try {
        return await work();
      } catch (thrown) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw thrown;
      } finally {
        span.end();
      }
    });
  });
  return {
    /** Steps of the handler belong to the span of the request. */
    observe: ({ method, path, traceparent, ended }: ObservedRequest, handle: () => void): void => {
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
      inProgress.run(span, handle);
    },
    // A collector that is not available must not keep the process from ending.
    close: async () => {
      recordSpans(null);
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
