/**
 * Whether a URL's host is in a list: `example.com` and `example.com:8443` match themselves (without a port: any port),
 * `*.example.com` every host below it. IPv6 addresses are in brackets.
 */
export function isListed(url: URL, list: readonly string[]): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return list.some((entry) => {
    const { name, port: wanted } = partsOf(entry);
    if (wanted !== null && wanted !== port) return false;
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
  });
}

function partsOf(entry: string): { name: string; port: string | null } {
  const found = /^(.*?)(?::(\d+))?$/.exec(entry.startsWith('[') ? entry.slice(entry.indexOf(']') + 1) : entry);
  const name = entry.startsWith('[') ? entry.slice(0, entry.indexOf(']') + 1) : (found?.[1] ?? entry);
  return { name: asciiOf(name.toLowerCase()), port: found?.[2] ?? null };
}

/** The form in a URL: non-ASCII names in their ASCII form, addresses shortened. */
function asciiOf(name: string): string {
  const [prefix, rest] = name.startsWith('*.') ? ['*.', name.slice(2)] : ['', name];
  const url = URL.parse(`http://${rest}/`);
  return prefix + (url?.hostname ?? rest);
}
