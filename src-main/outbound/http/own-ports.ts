import { lookup } from 'node:dns';
import { promisify } from 'node:util';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buildConnector } from 'undici';
import { isOwnPort } from '../../platform/http/loopback.ts';
import { HttpFailure } from './http-failure.ts';

/**
 * Connects like undici, but not to a port of this instance. The addresses of the host are checked before, so that
 * nothing reaches the port, and the address of the connection after, because a name may have changed by then.
 */
export function connectorPastOwnPorts(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) => {
    const connectNow = () =>
      connect(target, (...result) => {
        const [, socket] = result;
        const { remoteAddress = '', remotePort = 0 } = socket ?? {};
        if (!isOwnPort(remotePort) || !isThisMachine(remoteAddress)) return callback(...result);
        socket?.destroy();
        callback(refusal(target.hostname, remotePort), null);
      });
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    if (!isOwnPort(port)) return connectNow();
    lookup(bare(target.hostname), { all: true }, (error, found) => {
      if (error || !found.some(({ address }) => isThisMachine(address))) connectNow();
      else callback(refusal(target.hostname, port), null);
    });
  };
}

/**
 * Rejects a call through a proxy on this machine to what may be a port of this instance: the proxy resolves the name
 * itself, so a name may have any address. A proxy elsewhere cannot reach these ports.
 * @throws HttpFailure OwnPortRefused
 */
export async function refuseOwnPortBehind(proxy: string, url: URL): Promise<void> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (!isOwnPort(port)) return;
  const host = bare(url.hostname);
  if (isIP(host) > 0 && !isThisMachine(host)) return;
  const found = await promisify(lookup)(bare(URL.parse(proxy)?.hostname ?? ''), { all: true }).catch(() => []);
  if (found.some(({ address }) => isThisMachine(address))) throw refusal(url.hostname, port);
}

/** Whether an address leads to this machine: loopback, the unspecified address, and those of its network cards. */
export function isThisMachine(address: string): boolean {
  const [host = ''] = bare(address).split('%');
  const family = isIP(host);
  if (family === 0) return false;
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  own.addSubnet('0.0.0.0', 8, 'ipv4');
  own.addAddress('::1', 'ipv6');
  own.addAddress('::', 'ipv6');
  for (const card of Object.values(networkInterfaces()).flatMap((cards) => cards ?? [])) {
    own.addAddress(card.address.split('%')[0] ?? '', card.family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return own.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** An IPv6 address of a URL without its brackets. */
function bare(hostname: string): string {
  return hostname.replaceAll(/[[\]]/g, '');
}

function refusal(hostname: string, port: number): HttpFailure {
  return new HttpFailure(
    'OwnPortRefused',
    `${hostname}:${port} is a port of this Tagwright, where a script could change its events; ` +
      'setting api.allowOwnPorts allows such calls',
  );
}
