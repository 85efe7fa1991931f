import { describe, expect, test } from 'vitest';
import type { MockRoute } from '#domain/mock/mock';
import { shellCommands } from '../../../src-main/outbound/mocks/clients/shell-words.ts';
import { type GivenImport, importMocks } from '../../../src-main/outbound/mocks/import-mocks.ts';
import { SecretMask } from '../../../src-main/outbound/secrets/secret-mask.ts';
import { fc } from '../../support/run/random.ts';

const imported = (text: string, more: Partial<GivenImport> = {}) =>
  importMocks(
    { text, format: 'auto', ...more },
    { files: { keep: () => 'kept' }, mask: new SecretMask(['canary-vault']) },
  );
const shortly = (routes: readonly MockRoute[]) =>
  routes.map(({ name, enabled, request: { method, url }, answer: { status, body } }) => [
    `${method} ${url}`,
    enabled ? status : -status,
    name,
    body.kind === 'text' ? body.text : body.kind,
  ]);

describe('commands of curl', () => {
  test('become mocks without their credentials', async () => {
    const text = String.raw`$ curl 'https://erp.example/api/orders?line=1&api_key=canary-key' \
  -H 'Authorization: Bearer canary-bearer' -u plant:canary-password --compressed -sSL
curl -XPUT "https://erp.example/api/orders/7" --json $'{"it\'s": 1}' ; curl --url=https://erp.example/x -G -d a=1 -d b=2
curl -I https://erp.example/head | jq .`;
    const { routes, skipped, format } = await imported(text);
    expect(format).toBe('curl');
    expect(shortly(routes)).toEqual([
      ['GET https://erp.example/api/orders?line=1&api_key=*', 200, 'GET erp.example/api/orders', '{}'],
      ['PUT https://erp.example/api/orders/7', 200, 'PUT erp.example/api/orders/7', '{}'],
      ['GET https://erp.example/x?a=1&b=2', 200, 'GET erp.example/x', '{}'],
    ]);
    expect(JSON.stringify({ routes, skipped })).not.toContain('canary');
    expect(skipped).toContain('HEAD erp.example/head: scripts use only GET, POST, PUT and DELETE');
    expect(skipped).toContain('jq: it is not a curl command');
  });

  test('that cannot be read are rejected with the problem', async () => {
    await expect(imported("curl 'https://a.example")).rejects.toThrow('read as curl: a quote does not end');
    await expect(imported('curl -s')).rejects.toThrow('read as curl: it has no URL');
  });

  test('are split into words as by a shell, and any text ends', () => {
    expect(shellCommands(`a 'b c'"d \\" e" \\\n f\\ g # no\nh $'\\x41\\u00e9\\n' && i`)).toEqual([
      ['a', 'b cd " e', 'f g'],
      ['h', 'Aé\n'],
      ['i'],
    ]);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '$', '\\', '\n', ';', '#') }), (text) => {
        try {
          return shellCommands(text).every((words) => words.length > 0);
        } catch (error) {
          return String(error) === 'Error: a quote does not end';
        }
      }),
    );
  });
});

describe('a collection of Postman', () => {
  const collection = {
    info: { name: 'ERP', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: 'canary-auth' }] },
    variable: [
      { key: 'base', value: 'https://erp.example/{{version}}' },
      { key: 'version', value: 'v2' },
    ],
    item: [
      {
        name: 'Orders',
        item: [
          {
            name: 'Order',
            request: {
              method: 'GET',
              header: [{ key: 'X-Api-Key', value: 'canary-header' }],
              url: { raw: '{{base}}/orders/:id?expand={{what}}', host: ['{{base}}'] },
            },
            response: [
              {
                name: 'Missing',
                code: 404,
                header: [{ key: 'Content-Type', value: 'application/json' }],
                body: '{"error":1}',
              },
              {
                name: 'Found',
                code: 200,
                header: [{ key: 'Set-Cookie', value: 'canary=1' }],
                body: '{"token":"canary-header"}',
              },
              { name: 'Other', code: 200, originalRequest: { url: '{{base}}/orders/9' }, body: 'nine' },
            ],
          },
        ],
      },
      { name: 'Create', request: { method: 'POST', url: '{{host}}/orders', body: { mode: 'raw', raw: '{}' } } },
      { name: 'Patch', request: { method: 'PATCH', url: 'https://erp.example/' } },
    ],
  };

  test('becomes a mock for each saved response, the first success enabled', async () => {
    const { routes, skipped, format } = await imported(JSON.stringify(collection));
    expect(format).toBe('postman');
    expect(shortly(routes)).toEqual([
      ['GET https://erp.example/v2/orders/{id}?expand=*', 200, 'Order: Found', '{"token":"***"}'],
      ['GET https://erp.example/v2/orders/9', 200, 'Order: Other', 'nine'],
      ['GET https://erp.example/v2/orders/{id}?expand=*', -404, 'Order: Missing', '{"error":1}'],
      ['POST *://*/**/orders', 200, 'Create', '{}'],
    ]);
    expect(routes.map(({ folder }) => folder)).toEqual(['Orders', 'Orders', 'Orders', undefined]);
    expect(skipped).toEqual([
      'authorization: mocks need no credentials',
      'the variable {{what}} has no value: a part of URLs can be anything',
      'POST “Create” has no saved response: its mock responds with {}',
      'the variable {{host}} has no value: a part of URLs can be anything',
      'PATCH “Patch”: scripts use only GET, POST, PUT and DELETE',
    ]);
    expect(JSON.stringify({ routes, skipped })).not.toContain('canary');
    const { routes: based } = await imported(JSON.stringify(collection), { baseUrl: 'http://local:8080/api/' });
    expect(based.at(-1)?.request.url).toBe('http://local:8080/api/orders');
  });

  test('keeps its folders, without slashes and secrets in their names', async () => {
    const inner = { name: ' canary-vault\n', item: [{ name: 'x', request: 'https://a.example/x' }] };
    const text = JSON.stringify({ info: { name: 'ERP' }, item: [{ name: 'Orders/v2', item: [inner] }] });
    expect((await imported(text)).routes.map(({ folder }) => folder)).toEqual(['Orders-v2/***']);
    const { routes } = await imported(text, { folder: 'ERP/Plant' });
    expect(routes.map(({ folder }) => folder)).toEqual(['ERP/Plant/Orders-v2/***']);
    let item: object = { name: 'x', request: 'https://a.example/' };
    for (let depth = 0; depth < 40; depth += 1) item = { name: `folder ${depth} ${'n'.repeat(90)}`, item: [item] };
    const deep = await imported(JSON.stringify({ info: {}, item: [item] }));
    expect(deep.routes[0]?.folder).toMatch(/^folder 39 n{50}\//);
  });

  test('of another format, or nested too deeply, is rejected', async () => {
    await expect(imported('{"info":{}}', { format: 'postman' })).rejects.toThrow('export it as Collection v2.1');
    let item: object = { name: 'x', request: 'https://a.example/' };
    for (let depth = 0; depth < 60; depth += 1) item = { name: 'f', item: [item] };
    await expect(imported(JSON.stringify({ info: {}, item: [item] }))).rejects.toThrow('nested too deeply');
  });
});

const BRU = `meta {
  name: Load order
  type: http
}

get {
  url: {{baseUrl}}/orders/:id
  auth: bearer
}

headers {
  ~x-off: 1
  x-api-key: canary-header
}

script:pre-request {
  if (true) {
  }
}

example {
  name: Found
  request: {
    url: {{baseUrl}}/orders/:id
  }

  response: {
    headers: {
      content-type: application/json
    }

    status: {
      code: 201
      text: Created
    }

    body: {
      type: json
      content: '''
        {
          "order": 7
        }
      '''
    }
  }
}

example {
  name: Old
  response: {
    status: {
      code: 410
    }

    body: {
      {
        "gone": true
      }
    }
  }
}
`;

describe('a collection of Bruno', () => {
  test('in .bru files becomes a mock for each example', async () => {
    const files = [
      { path: 'orders/load.bru', text: BRU },
      { path: 'orders/folder.bru', text: 'meta {\n  name: All orders\n}\n' },
      { path: 'orders/old/x.bru', text: 'get {\n  url: https://erp.example/x\n}\n' },
      { path: 'collection.bru', text: 'vars:pre-request {\n  baseUrl: https://erp.example\n}\n' },
      { path: 'broken.bru', text: 'get {\n  url: x\n' },
    ];
    const { routes, skipped, format } = await imported('', { files });
    expect(format).toBe('bruno');
    expect(shortly(routes)).toEqual([
      ['GET https://erp.example/orders/{id}', 201, 'Load order: Found', '{\n  "order": 7\n}'],
      ['GET https://erp.example/orders/{id}', -410, 'Load order: Old', '{\n  "gone": true\n}'],
      ['GET https://erp.example/x', 200, 'x', '{}'],
    ]);
    expect(routes.map(({ folder }) => folder)).toEqual(['All orders', 'All orders', 'All orders/old']);
    expect(skipped).toEqual([
      'broken.bru: its block "get" does not end',
      'GET “x” has no saved response: its mock responds with {}',
    ]);
    const { routes: one } = await imported(BRU);
    expect(one[0]?.request.url).toBe('*://*/**/orders/{id}');
  });

  test('has no request of more than 1 MB', async () => {
    const files = [
      { path: 'a.bru', text: 'get {\n  url: https://a.example/\n}\n' },
      { path: 'b.bru', text: `get {\n  url: https://b.example/\n}\n${' '.repeat(1_048_576)}` },
    ];
    const { routes, skipped } = await imported('', { files });
    expect(routes).toHaveLength(1);
    expect(skipped).toContain('b.bru: it is larger than 1 MB, too large for a request');
  });

  test('exported as JSON, too', async () => {
    const response = {
      status: 200,
      headers: [{ name: 'content-type', value: 'text/plain' }],
      body: { type: 'text', content: 'ok' },
    };
    const exported = {
      version: '1',
      name: 'ERP',
      environments: [{ name: 'plant', variables: [{ name: 'base', value: 'https://erp.example', enabled: true }] }],
      items: [
        {
          type: 'folder',
          name: 'Orders',
          items: [
            {
              type: 'http',
              name: 'Order',
              request: { method: 'GET', url: '{{base}}/orders/1?token=canary-vault' },
              examples: [{ name: 'Ok', response }],
            },
          ],
        },
        { type: 'grpc', name: 'Stream' },
      ],
    };
    const { routes, skipped, format } = await imported(JSON.stringify(exported));
    expect(format).toBe('bruno');
    expect(shortly(routes)).toEqual([['GET https://erp.example/orders/1?token=*', 200, 'Order: Ok', 'ok']]);
    expect(routes[0]?.folder).toBe('Orders');
    expect(skipped).toEqual(['grpc “Stream”: only http requests become mocks']);
  });
});

describe('several files', () => {
  const mock = { name: 'Own', request: { url: 'https://own.example/' } };
  const postman = { info: {}, item: [{ name: 'P', item: [{ name: 'x', request: 'https://postman.example/' }] }] };
  const files = [
    { path: 'own.json', text: JSON.stringify(mock) },
    { path: 'orders/b.bru', text: 'get {\n  url: https://bruno.example/\n}\n' },
    { path: 'postman.json', text: JSON.stringify(postman) },
    { path: 'call.txt', text: "curl 'https://curl.example/'" },
  ];

  test('are imported together, each in its format', async () => {
    const { routes, skipped, format } = await imported('', { files, folder: 'All' });
    expect(routes.map(({ request, folder }) => [request.url, folder])).toEqual([
      ['https://own.example/', 'All'],
      ['https://postman.example/', 'All/P'],
      ['https://curl.example/', 'All'],
      ['https://bruno.example/', 'All/orders'],
    ]);
    expect(format).toBe('tagwright, postman, curl, bruno');
    expect(skipped).toContain('postman.json: GET “x” has no saved response: its mock responds with {}');
  });

  test('are imported all or not at all, with the problem of each', async () => {
    const bad = [
      ...files,
      { path: 'a/bad.json', text: '{"openapi":' },
      { path: 'bad.har', text: '{"log":{"entries":1}}' },
    ];
    const kept: string[] = [];
    const keep = (body: Buffer) => {
      kept.push(body.toString());
      return 'kept';
    };
    const result = importMocks({ text: '', format: 'auto', files: bad }, { files: { keep }, mask: new SecretMask([]) });
    const error = await result.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('2 of 6 files cannot be imported, so none was. “a/bad.json”: '),
      data: {
        issues: [
          { path: ['a/bad.json'], message: expect.stringMatching(/JSON/) },
          { path: ['bad.har'], message: expect.stringContaining('cannot be read as har') },
        ],
      },
    });
    expect(kept).toEqual([]);
  });
});
