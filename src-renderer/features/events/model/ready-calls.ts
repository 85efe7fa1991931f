/** A call of the events API to paste into a shell or a program. */

export const CALL_LANGUAGES = ['curl', 'PowerShell', 'Python', 'C#'] as const;
export type CallLanguage = (typeof CALL_LANGUAGES)[number];

export interface ReadyCall {
  method: 'GET' | 'PUT' | 'DELETE';
  url: string;
  /** JSON text of the body; null for none. */
  body: string | null;
}

const KEY_HEADER = 'X-API-Key';

/** The call in a language. A required key is a placeholder in it: keys are never shown. */
export function readyCall(call: ReadyCall, language: CallLanguage, withKey: boolean): string {
  return WRITERS[language](call, withKey ? '<your API key>' : null);
}

type Writer = (call: ReadyCall, key: string | null) => string;

const WRITERS: Readonly<Record<CallLanguage, Writer>> = {
  curl: ({ method, url, body }, key) =>
    [
      `curl -X ${method} '${url}'`,
      ...(key === null ? [] : [`-H '${KEY_HEADER}: ${key}'`]),
      ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d '${body}'`]),
    ].join(' '),
  PowerShell: ({ method, url, body }, key) =>
    [
      `Invoke-RestMethod -Method ${method} -Uri '${url}'`,
      ...(key === null ? [] : [`-Headers @{ '${KEY_HEADER}' = '${key}' }`]),
      ...(body === null ? [] : [`-ContentType 'application/json'`, `-Body '${body}'`]),
    ].join(' '),
  Python: ({ method, url, body }, key) =>
    [
      'import urllib.request',
      '',
      `request = urllib.request.Request("${url}", method="${method}")`,
      ...(key === null ? [] : [`request.add_header("${KEY_HEADER}", "${key}")`]),
      ...(body === null
        ? []
        : [
            'request.add_header("Content-Type", "application/json")',
            `request.data = ${JSON.stringify(body)}.encode()`,
          ]),
      'with urllib.request.urlopen(request) as answer:',
      '    print(answer.status, answer.read().decode())',
      '',
    ].join('\n'),
  'C#': ({ method, url, body }, key) =>
    [
      'using var client = new HttpClient();',
      `using var request = new HttpRequestMessage(HttpMethod.${verb(method)}, "${url}");`,
      ...(key === null ? [] : [`request.Headers.Add("${KEY_HEADER}", "${key}");`]),
      ...(body === null
        ? []
        : [`request.Content = new StringContent(${JSON.stringify(body)}, null, "application/json");`]),
      'using var answer = await client.SendAsync(request);',
      'Console.WriteLine(await answer.Content.ReadAsStringAsync());',
      '',
    ].join('\n'),
};

function verb(method: ReadyCall['method']): string {
  return method.charAt(0) + method.slice(1).toLowerCase();
}
