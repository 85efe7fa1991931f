import { LIMITS } from '../../events/api/limits.ts';
import type { ApiLimits } from '../../events/api/limits.ts';
import { startListener } from '../../events/api/listener.ts';
import { systemClock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import type { ServerCertificate } from '../../platform/http/bounded-server.ts';
import { isOurHost } from '../../platform/http/loopback.ts';
import type { OwnNames } from '../../platform/http/request-guard.ts';
import type { Log } from '../../platform/log.ts';
import type { Telemetry } from '../../platform/telemetry/telemetry.ts';
import { startTelemetry } from '../../platform/telemetry/telemetry.ts';
import { HubConsumers } from '../../storage/hub/hub-consumers.ts';
import { HubDatabase } from '../../storage/hub/hub-database.ts';
import { ConsumerKeys } from './consumer-keys.ts';
import { createGatewayApp } from './gateway-app.ts';
import { gatewayMetrics } from './gateway-metrics.ts';
import { RateLimit } from './rate-limit.ts';
import { GatewaySites } from './sites.ts';

export interface GatewayOptions {
  /** The address of the hub: `postgres://…`. */
  url: string;
  /** 0 picks a free one. */
  port: number;
  /** The address to listen on. */
  address: string;
  /** Names in Host headers, besides the address itself. */
  hostNames: readonly string[];
  certificate?: ServerCertificate | undefined;
  /** A proxy in front of the gateway serves HTTPS. */
  behindProxy: boolean;
  /** Requests of one consumer per second, on average. */
  requestsPerSecond: number;
  version: string;
  log: Log;
  /** Where metrics are served, without a key. */
  metrics?: { port: number; address: string } | null;
  limits?: Partial<ApiLimits>;
}

export interface Gateway {
  readonly url: string;
  /** The address of the metrics; null if there are none. */
  readonly metrics: string | null;
  close(): Promise<void>;
}

/** Connections for everything but lists, which have one each. */
const CONNECTIONS = 16;
/** Wrong keys of one address: as many at once, and as many in a minute. */
const WRONG_KEYS = 10;
const LOOPBACK_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;

/**
 * Starts a gateway. Only the schema of a newer version keeps it from starting: a database that is not available yet
 * gives 503 until it is.
 * @throws TagwrightError BAD_REQUEST, PORT_TAKEN, WORKSPACE_NEWER
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { url, port, address, certificate, behindProxy, version, log, requestsPerSecond } = options;
  if (!certificate && !behindProxy && !LOOPBACK_ADDRESS.test(address)) {
    throw new TagwrightError(
      'BAD_REQUEST',
      `On ${address}, other machines can read the keys of requests without TLS. Add --tls-cert FILE and --tls-key FILE, or --behind-proxy if a proxy serves HTTPS.`,
    );
  }
  const limits = { ...LIMITS, ...options.limits };
  const onLost = () => log.warn('A connection to the hub was lost. The next request opens another one.');
  const hub = await HubDatabase.open({ url, connections: CONNECTIONS, name: 'tagwright gateway', onLost });
  const lists = await HubDatabase.open({ url, connections: limits.lists, name: 'tagwright gateway lists', onLost });
  const sites = new GatewaySites(hub);
  const keys = new ConsumerKeys(new HubConsumers(hub));
  const closing = new DisposableStack();
  let telemetry: Telemetry | null = null;
  const closeAll = async (): Promise<void> => {
    await telemetry?.close();
    closing.dispose();
    sites.close();
    keys.close();
    await Promise.all([hub.close(), lists.close()]);
  };
  try {
    await hub.check().catch((thrown: unknown) => {
      if (thrown instanceof TagwrightError && thrown.code === 'WORKSPACE_NEWER') throw thrown;
      log.warn(thrown instanceof Error ? thrown.message : String(thrown));
    });
    telemetry = await startTelemetry({
      service: 'tagwright-gateway',
      version,
      metrics: options.metrics ?? null,
      collect: () => gatewayMetrics({ hub, lists }),
      ready: () => hub.check(),
      log,
    });
    const handler = createGatewayApp({
      copy: { hub, lists, ms: limits.listMs },
      sites,
      keys,
      rate: new RateLimit({ perSecond: requestsPerSecond, burst: 2 * requestsPerSecond }),
      failures: new RateLimit({ perSecond: WRONG_KEYS / 60, burst: WRONG_KEYS }),
      names: namesOf(options),
      behindProxy,
      isSecure: behindProxy || certificate !== undefined,
      limits,
      version,
      clock: systemClock,
      log,
      closing,
    });
    const listener = await startListener({
      port,
      address,
      certificate,
      handler: telemetry.observe(handler),
      limits,
      requests: null,
      clock: systemClock,
    });
    const close = async (): Promise<void> => {
      await listener.close();
      await closeAll();
    };
    return { url: listener.url, metrics: telemetry.url, close };
  } catch (thrown) {
    await closeAll();
    throw thrown;
  }
}

/** The names with any port: a proxy may listen on another one. */
function namesOf({ hostNames, address, certificate, behindProxy }: GatewayOptions): OwnNames {
  const own = new Set(
    [...hostNames, address.includes(':') ? `[${address}]` : address].map((name) => name.toLowerCase()),
  );
  const nameOf = (host: string) => host.toLowerCase().replace(/:\d{1,5}$/, '');
  return {
    isOurs: (host, port) => isOurHost(host, port) || (host !== undefined && own.has(nameOf(host))),
    protocols: behindProxy ? ['https:', 'http:'] : [certificate ? 'https:' : 'http:'],
    shown: () => [...own].join(', '),
  };
}
