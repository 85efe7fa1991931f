import type { HeaderPair } from '#domain/mock/api-call';
import type { ClientImport, SavedRequest } from './saved-request.ts';
import { shellCommands } from './shell-words.ts';

/** Whether a text begins with a command of curl, perhaps after a prompt. */
export function isCurl(text: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text);
}

/** Options whose value a mock does not need, in their long and short forms. */
const WITH_VALUE = new Set(
  (
    '--user -u --user-agent -A --cookie -b --cookie-jar -c --referer -e --output -o --max-time -m --connect-timeout ' +
    '--proxy -x --cert -E --key --cacert --capath --retry --retry-delay --write-out -w --resolve --form -F ' +
    '--form-string --config -K --dump-header -D --limit-rate --interface --max-redirs --range -r --upload-file -T ' +
    '--proxy-user -U --oauth2-bearer --aws-sigv4 --ciphers --tls-max --unix-socket --dns-servers --variable'
  ).split(' '),
);
const DATA = new Set(['--data', '-d', '--data-raw', '--data-binary', '--data-ascii', '--data-urlencode', '--json']);

/** The requests of curl commands, as browsers and manuals show them. They have no responses. */
export function importCurl(text: string): ClientImport {
  const skipped: string[] = [];
  const requests = shellCommands(text.replace(/^\s*\$\s+/, '')).flatMap((words): SavedRequest[] => {
    const [command = '', ...args] = words;
    if (/^curl(?:\.exe)?$/.test(command)) return requestsOf(args, skipped);
    skipped.push(`${command.slice(0, 40)}: it is not a curl command`);
    return [];
  });
  if (requests.length === 0) throw new Error('it has no URL');
  return { requests, variables: new Map(), skipped };
}

function requestsOf(args: readonly string[], skipped: string[]): SavedRequest[] {
  const urls: string[] = [];
  const headers: HeaderPair[] = [];
  const data: string[] = [];
  let method: string | null = null;
  let inQuery = false;
  const words = args.flatMap(separated);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const value = () => words[(at += 1)] ?? '';
    if (word === '--url') urls.push(value());
    else if (word === '-X' || word === '--request') method = value();
    else if (word === '-H' || word === '--header') headers.push(...headerIn(value()));
    else if (word === '-I' || word === '--head') method ??= 'HEAD';
    else if (word === '-G' || word === '--get') inQuery = true;
    else if (DATA.has(word)) data.push(value());
    else if (WITH_VALUE.has(word)) {
      const given = value();
      if (/^(?:-F|--form|--form-string|-T|--upload-file)$/.test(word)) method ??= word.includes('T') ? 'PUT' : 'POST';
      if (/^(?:-u|--user|--oauth2-bearer)$/.test(word)) headers.push(['Authorization', given]);
      if (word === '-b' || word === '--cookie') headers.push(['Cookie', given]);
    } else if (!word.startsWith('-')) urls.push(word);
  }
  if (urls.length === 0) skipped.push('a curl command has no URL');
  const body = data.length > 0 ? data.join('&') : null;
  return urls.map((given) => {
    const url = inQuery && body !== null ? `${given}${given.includes('?') ? '&' : '?'}${body}` : given;
    const verb = (method ?? (body === null || inQuery ? 'GET' : 'POST')).toUpperCase();
    const name = `${verb} ${given.replace(/^[a-z]+:\/\//i, '').replace(/[?#].*$/s, '')}`;
    return { name, method: verb, url, headers, body: inQuery ? null : body, examples: [] };
  });
}

/** `-XPOST`, `-sSL` and `--url=…` as separate words. */
function separated(word: string): string[] {
  const long = /^(--[a-z\d-]+)=(.*)$/s.exec(word);
  if (long !== null) return [long[1] ?? '', long[2] ?? ''];
  if (!/^-[a-z]./i.test(word)) return [word];
  for (let at = 1; at < word.length && at < 20; at += 1) {
    const option = `-${word[at]}`;
    const takesValue = WITH_VALUE.has(option) || DATA.has(option) || /^-[XH]$/.test(option);
    if (!takesValue) continue;
    const flags = word
      .slice(1, at)
      .split('')
      .map((flag) => `-${flag}`);
    return at + 1 < word.length ? [...flags, option, word.slice(at + 1)] : [...flags, option];
  }
  return word
    .slice(1, 20)
    .split('')
    .map((flag) => `-${flag}`);
}

function headerIn(text: string): HeaderPair[] {
  const at = text.indexOf(':');
  return at > 0 ? [[text.slice(0, at).trim(), text.slice(at + 1).trim()]] : [];
}
