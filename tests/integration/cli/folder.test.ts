import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct } from '../../support/product/product.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const AWKWARD = 'Über "alles": 50 % <ready>? *';

async function done(...args: string[]): Promise<string> {
  const { code, out, err } = await commandLine(args);
  if (code !== 0) throw new Error(`tagwright ${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

/** The text of every file of a folder, by path. */
function textsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );
}

async function sampleWorkspace(): Promise<string> {
  const workspace = temporaryFolder();
  await done('tags', 'list', '--workspace', workspace);
  return workspace;
}

describe('a workspace as a folder of text', () => {
  test('is exported, imported into a new one, and exported again as identical files', async () => {
    const workspace = await sampleWorkspace();
    const [first, second, body] = [join(workspace, 'text'), join(workspace, 'again'), join(workspace, 'body.js')];
    writeFileSync(body, 'return "no line end, and \\r\\n inside: \r\n✓";');
    await done('scripts', 'save', `${AWKWARD}/con`, body, '--workspace', workspace);
    await done('scripts', 'save', `${AWKWARD}/${'長'.repeat(100)}`, body, '--workspace', workspace);
    const title = 'Bottling.Settings.Display.Title.Value';
    await done('tags', 'set', `${title}="Zwei\\nZeilen"`, '--diagram', 'Manager', '-w', workspace);
    await done('settings', 'set', 'events.apiKey="very-secret-key"', 'limits.scriptMs=1234', '-w', workspace);
    await done('settings', 'set', 'api.proxy="http://plant:pa55word@proxy.example:8080"', '-w', workspace);
    const output = await done('export', first, '-w', workspace);
    expect(output).toContain('the secret in setting events.apiKey was omitted');
    expect(output).toContain('the secret in setting api.proxy was omitted');
    const texts = textsIn(first);
    expect(Object.keys(texts)).toContain('scripts/Line 1/Capper keeps up.js');
    expect(JSON.stringify(texts)).not.toMatch(/very-secret-key|pa55word/);
    expect(texts['settings.json']).toContain('"api.proxy": "http://plant@proxy.example:8080"');
    // Imported into the original workspace, which still has the password that the export omits.
    expect(JSON.parse(await done('import', first, '-w', workspace, '--json')).settings).toMatchObject({ updated: 0 });
    expect(await done('settings', 'list', '--json', '--show-secrets', '-w', workspace)).toContain('plant:pa55word@');

    expect(texts['settings.json']).toContain('"limits.scriptMs": 1234');
    for (const name of Object.keys(texts)) expect(name).not.toMatch(/[<>:"\\|?*]|(?:^|\/)con\./i);

    const other = join(workspace, 'other');
    const made = await commandLine(['import', first, '-w', other, '--json']);
    expect(made).toMatchObject({ code: 0, err: `Created the workspace ${other}\n` });
    const report = JSON.parse(made.out);
    for (const sort of ['scripts', 'tags', 'rules']) expect(report[sort]).toMatchObject({ updated: 0, unchanged: 0 });
    await done('export', second, '-w', other);
    expect(textsIn(second)).toEqual(texts);

    // Equal items are not written, only changed ones.
    const again = JSON.parse(await done('import', first, '-w', other, '--json'));
    for (const sort of ['scripts', 'tags', 'mocks', 'rules', 'diagrams', 'settings']) {
      expect(again[sort]).toMatchObject({ created: 0, updated: 0 });
    }
    const script = join(first, 'scripts', 'Line 1', 'Capper keeps up.js');
    writeFileSync(script, 'return 42;');
    expect(JSON.parse(await done('import', first, '-w', other, '--json')).scripts).toMatchObject({ updated: 1 });
    await done('scripts', 'delete', `${AWKWARD}/con`, '-w', other);
    const changes = JSON.parse(await done('export', second, '-w', other, '--json'));
    expect(changes.written).toEqual(['scripts/Line 1/Capper keeps up.js', 'scripts.json']);
    expect(changes.removed).toHaveLength(1);
  });

  test('only --mirror deletes what the folder does not contain', async () => {
    const workspace = await sampleWorkspace();
    const folder = join(workspace, 'text');
    await done('export', folder, '-w', workspace);
    writeFileSync(join(workspace, 'new.js'), 'return 1;');
    await done('scripts', 'save', 'Mine/New', join(workspace, 'new.js'), '-w', workspace);
    await done('import', folder, '-w', workspace);
    expect(await done('scripts', 'list', '-w', workspace)).toContain('Mine/New');
    const report = JSON.parse(await done('import', folder, '--mirror', '-w', workspace, '--json'));
    expect(report.scripts).toMatchObject({ deleted: 1, created: 0, updated: 0 });
    expect(await done('scripts', 'list', '-w', workspace)).not.toContain('Mine/New');
  });

  test('a folder with other content is neither written nor read', async () => {
    const workspace = await sampleWorkspace();
    const folder = join(workspace, 'mine');
    mkdirSync(folder);
    writeFileSync(join(folder, 'thesis.txt'), 'important');
    const exported = await commandLine(['export', folder, '-w', workspace]);
    expect([exported.code, exported.err]).toEqual([2, expect.stringContaining('thesis.txt')]);
    expect(readdirSync(folder)).toEqual(['thesis.txt']);
    const imported = await commandLine(['import', folder, '-w', workspace]);
    expect([imported.code, imported.err]).toEqual([2, expect.stringContaining('tagwright.json')]);
  });

  test('a damaged folder is rejected with the file and the position', async () => {
    const workspace = await sampleWorkspace();
    const good = join(workspace, 'good');
    await done('export', good, '-w', workspace);
    const before = textsIn(good);
    /** A list of the export, with its first entry repeated under a name in different case. */
    const twice = (file: string, inside?: string): string => {
      const all = JSON.parse(before[file] ?? '');
      const list = inside === undefined ? all : all[inside];
      list.push({ ...list[0], name: list[0].name.toUpperCase() });
      return JSON.stringify(all);
    };
    const { groups, scripts } = JSON.parse(before['scripts.json'] ?? '');
    const breakings: [file: string, text: string | null, said: RegExp][] = [
      ['rules.json', twice('rules.json'), /"rules\.json" cannot be imported: two rules have the same name/],
      ['diagrams.json', twice('diagrams.json'), /two Diagrams have the same name/],
      ['scripts.json', twice('scripts.json', 'scripts'), /two scripts have the same name/],
      [
        'scripts.json',
        JSON.stringify({ groups: [...groups, groups[0].toUpperCase()], scripts }),
        /two groups have the same name/,
      ],
      ['rules.json', '[{"name": 5}]', /"rules\.json" cannot be imported: item 1, name: /],
      [
        'rules.json',
        (before['rules.json'] ?? '').replace(/"tags": \[[^\]]*\]/, '"tags": []'),
        /"rules\.json" cannot be imported: rule "[^"]+".*tags: name 1 to 1000 tags/,
      ],
      ['tags.json', '[{"path": "not a path"}]', /"tags\.json" cannot be imported/],
      [
        'scripts.json',
        '{"groups": [], "scripts": [{"group":"a","name":"b","description":"","file":"../../etc/passwd"}]}',
        /not a file of the folder/,
      ],
      ['values.json', '[', /"values\.json" cannot be imported/],
      ['scripts/Line 1/Capper keeps up.js', null, /Capper keeps up\.js" cannot be imported/],
      ['tagwright.json', '{"format": 99}', /"tagwright\.json" cannot be imported: format/],
    ];
    for (const [file, text, said] of breakings) {
      const bad = join(workspace, 'bad');
      rmSync(bad, { recursive: true, force: true });
      cpSync(good, bad, { recursive: true });
      if (text === null) rmSync(join(bad, file));
      else writeFileSync(join(bad, file), text);
      const { code, err } = await commandLine(['import', bad, '-w', workspace]);
      expect([file, code, err]).toEqual([file, 2, expect.stringMatching(said)]);
    }
    await done('export', good, '-w', workspace);
    expect(textsIn(good)).toEqual(before);
    expect(existsSync(join(good, '.gitattributes'))).toBe(true);
  });

  test('a name in different case is the same name, and replaces the former spelling', async () => {
    const workspace = await sampleWorkspace();
    const [folder, again] = [join(workspace, 'text'), join(workspace, 'again')];
    await done('export', folder, '-w', workspace);
    const texts = textsIn(folder);
    const shout = (file: string): void => {
      const list: { name: string }[] = JSON.parse(texts[file] ?? '');
      const [first] = list;
      if (first) first.name = first.name.toUpperCase();
      writeFileSync(join(folder, file), `${JSON.stringify(list, null, 2)}\n`);
    };
    shout('rules.json');
    shout('diagrams.json');
    const { groups, scripts } = JSON.parse(texts['scripts.json'] ?? '');
    const [group] = groups;
    const inGroup = scripts.filter((script: { group: string }) => script.group === group).length;
    writeFileSync(
      join(folder, 'scripts.json'),
      (texts['scripts.json'] ?? '').replaceAll(JSON.stringify(group), JSON.stringify(group.toUpperCase())),
    );
    const report = JSON.parse(await done('import', folder, '-w', workspace, '--json'));
    expect(report).toMatchObject({
      rules: { created: 0, updated: 1 },
      diagrams: { created: 0, updated: 1 },
      scripts: { created: 0, updated: inGroup },
    });
    const repeated = JSON.parse(await done('import', folder, '--mirror', '-w', workspace, '--json'));
    for (const sort of ['rules', 'diagrams', 'scripts', 'tests']) {
      expect(repeated[sort]).toMatchObject({ created: 0, updated: 0, deleted: 0 });
    }
    await done('export', again, '-w', workspace);
    const imported = textsIn(folder);
    expect(textsIn(again)).toMatchObject({
      'rules.json': imported['rules.json'],
      'diagrams.json': imported['diagrams.json'],
    });
    // An export over the imported folder gives the files the new names and removes the former ones.
    await done('export', folder, '-w', workspace);
    expect(textsIn(folder)).toEqual(textsIn(again));
    expect(readdirSync(join(folder, 'scripts')).toSorted()).toEqual(readdirSync(join(again, 'scripts')).toSorted());
  });

  test('an import that would drop stored values needs --yes, and changes nothing before', async () => {
    const workspace = await sampleWorkspace();
    const folder = join(workspace, 'text');
    await done('export', folder, '-w', workspace);
    const texts = textsIn(folder);
    const file = join(folder, 'tags.json');
    const title = 'Bottling.Settings.Display.Title.Value';
    const typed = (texts['tags.json'] ?? '').replace(
      /("path":"Bottling.Settings.Display.Title.Value".*?"type":)"String"/,
      '$1"Int"',
    );
    writeFileSync(file, typed.replace(/(Title.Value".*?"settings":)\{[^}]*\}/, '$1{}'));
    writeFileSync(join(folder, 'values.json'), '[]');
    writeFileSync(join(folder, 'scripts', 'Line 1', 'Capper keeps up.js'), 'return 42;');
    await done('tags', 'set', `${title}="Line one"`, '-w', workspace);
    const rejected = await commandLine(['import', folder, '-w', workspace]);
    expect(rejected.code).toBe(1);
    expect(rejected.err).toMatch(/^Nothing was imported: it would drop \d+ stored values? of 1 tag\..*String → Int/s);
    expect(await done('scripts', 'show', 'Line 1/Capper keeps up', '-w', workspace)).not.toBe('return 42;');
    await done('import', folder, '--yes', '-w', workspace);
    expect(await done('scripts', 'show', 'Line 1/Capper keeps up', '-w', workspace)).toBe('return 42;');
    expect(await done('tags', 'get', title, '-w', workspace)).toContain('Int');
  });

  describe('a folder of a few tags', () => {
    interface TextFolder {
      workspace: string;
      folder: string;
      write: (file: string, content: unknown) => void;
      tags: { path: string; kind: string; type: string; settings: object }[];
    }

    /** A workspace with storage tags Line.A.Number and Line.B.Text, each with a value, and its export. */
    async function fewTags(): Promise<TextFolder> {
      const [workspace, folder] = [temporaryFolder(), temporaryFolder()];
      const write = (file: string, content: unknown) => writeFileSync(join(folder, file), JSON.stringify(content));
      const tags = [
        { path: 'Line.A.Number', kind: 'storage', type: 'Int', settings: {} },
        { path: 'Line.B.Text', kind: 'storage', type: 'String', settings: {} },
      ];
      write('tagwright.json', { format: 1 });
      write('tags.json', tags);
      await done('import', folder, '-w', workspace);
      await done('tags', 'set', 'Line.A.Number=7', 'Line.B.Text="kept"', '-w', workspace);
      return { workspace, folder, write, tags };
    }

    const rule = (source: string, window: object) => ({
      name: 'Mean',
      enabled: true,
      triggersEvents: false,
      description: '',
      tags: [source],
      sampling: { kind: 'onChange' },
      window,
      outputs: [{ name: 'mean', tag: source, reducer: 'avg' }],
      condition: '',
    });
    const value = (tag: string, given: unknown) => ({ tag, diagram: '', location: '', value: given });
    const mock = {
      name: 'Bad',
      enabled: true,
      priority: 0,
      request: { method: 'GET', url: 'ftp://bad', headers: [], body: null },
      answer: { status: 200, headers: [], body: { kind: 'none' }, delayMs: 0, fault: null },
    };
    const page = {
      name: 'Page',
      width: 400,
      height: 300,
      parts: [{ id: 'a', kind: 'text', x: 390, y: 0, width: 100, height: 20, label: 'out', tag: '', value: null }],
    };

    test.each<[string, unknown, RegExp]>([
      ['values.json', [value('Line.A.Number', 'seven')], /"values\.json".*item 1, "Line\.A\.Number", value: .*Int/],
      ['rules.json', [rule('Line.A.Number', { kind: 'while', tag: 'Line.A.Number' })], /rule "Mean".*window\.tag.*Int/],
      ['mocks.json', { mocks: [mock] }, /"mocks\.json" cannot be imported: mock "Bad"/],
      ['diagrams.json', [page], /"diagrams\.json" cannot be imported: Diagram "Page".*parts\.0/],
    ])('an error in %s is found before anything is imported', async (file, content, said) => {
      const { workspace, folder, write, tags } = await fewTags();
      write('tags.json', [...tags, { ...tags[0], path: 'Line.New.Number' }]);
      write('settings.json', { 'limits.scriptMs': 1234 });
      write(file, content);
      const { code, err } = await commandLine(['import', folder, '-w', workspace]);
      expect([code, err]).toEqual([2, expect.stringMatching(said)]);
      expect(await done('tags', 'list', '-w', workspace)).not.toContain('Line.New.Number');
      expect(await done('settings', 'list', '-w', workspace)).not.toContain('1234');
    });

    test('values without a tag are skipped, missing sources of rules are kept', async () => {
      const { workspace, folder, write } = await fewTags();
      write('values.json', [value('Line.Gone.Number', 5), value('Line.A.Number', 8)]);
      write('rules.json', [rule('Line.Gone.Number', { kind: 'while', tag: 'Line.Missing.Value' })]);
      const { code, out, err } = await commandLine(['import', folder, '-w', workspace, '--json']);
      expect(code, err).toBe(0);
      const report = JSON.parse(out);
      expect(report.values).toEqual({ created: 0, updated: 1, unchanged: 0, deleted: 0 });
      expect(report.leftOut).toEqual(['values.json: item 1, "Line.Gone.Number": the tag does not exist']);
      expect(report.missing.join('\n')).toMatch(/Line\.Gone\.Number.*Line\.Missing\.Value/s);
      expect((await commandLine(['import', folder, '-w', workspace])).err).toContain(
        'Skipped 1 value of tags that do not exist:\n  values.json: item 1',
      );
      expect(await done('tags', 'get', 'Line.A.Number', '-w', workspace)).toContain('8');
    });

    test('a mirror that loses values needs --yes; reports count real changes', async () => {
      const { workspace, folder, write, tags } = await fewTags();
      const [first] = tags;
      write('tags.json', [first]);
      write('values.json', [value('Line.A.Number', 7)]);
      const rejected = await commandLine(['import', folder, '--mirror', '-w', workspace]);
      expect([rejected.code, rejected.err]).toEqual([
        1,
        expect.stringMatching(
          /^Nothing was imported: it would drop 1 stored value of 1 tag\..*Line\.B\.Text.*deleted/s,
        ),
      ]);
      expect(await done('tags', 'get', 'Line.B.Text', '-w', workspace)).toContain('kept');
      expect(JSON.parse(await done('import', folder, '-w', workspace, '--json'))).toMatchObject({
        tags: { created: 0, updated: 0, unchanged: 1, deleted: 0 },
        values: { created: 0, updated: 0, unchanged: 1, deleted: 0 },
      });
      const mirrored = JSON.parse(await done('import', folder, '--mirror', '--yes', '-w', workspace, '--json'));
      expect(mirrored.tags).toEqual({ created: 0, updated: 0, unchanged: 1, deleted: 1 });
    });
  });

  test('contexts are exported and imported with their scripts', async () => {
    const [workspace, folder, again] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const script = { group: 'Line', name: 'Check', description: '', file: 'scripts/Line/Check.js' };
    const file = join(folder, 'scripts', 'Line', 'Check.contexts.json');
    mkdirSync(join(folder, 'scripts', 'Line'), { recursive: true });
    writeFileSync(join(folder, 'tagwright.json'), '{"format": 1}');
    writeFileSync(join(folder, 'scripts.json'), JSON.stringify({ groups: [], scripts: [script] }));
    writeFileSync(join(folder, 'scripts', 'Line', 'Check.js'), 'return tagName;');
    writeFileSync(file, '[{"tagName": "Line.A.Value", "valueMode": "number", "valueText": "4,5"}, {"location": "W1"}]');
    const imported = async (...more: string[]) =>
      JSON.parse(await done('import', folder, '-w', workspace, '--json', ...more)).contexts;
    expect(await imported()).toEqual({ created: 2, updated: 0, unchanged: 0, deleted: 0 });
    expect(await imported()).toEqual({ created: 0, updated: 0, unchanged: 2, deleted: 0 });
    await done('export', again, '-w', workspace);
    expect(JSON.parse(textsIn(again)['scripts/Line/Check.contexts.json'] ?? '')).toEqual([
      { tagName: 'Line.A.Value', diagram: '', location: '', valueMode: 'number', valueText: '4,5' },
      { tagName: '', diagram: '', location: 'W1', valueMode: 'none', valueText: '' },
    ]);

    writeFileSync(file, '[{"tagPath": "Line.A.Value"}]');
    const { code, err } = await commandLine(['import', folder, '-w', workspace]);
    expect(code).not.toBe(0);
    expect(err).toMatch(/"scripts\/Line\/Check.contexts.json" cannot be imported:.*tagPath/);
    rmSync(file);
    expect(await imported()).toMatchObject({ deleted: 0 });
    expect(await imported('--mirror')).toMatchObject({ deleted: 2 });
    writeFileSync(file, '[{"name": "Mine", "tagName": "Line.A.Value"}]');
    await imported();
    rmSync(file);
    const rejected = await commandLine(['import', folder, '--mirror', '-w', workspace]);
    expect([rejected.code, rejected.err]).toEqual([
      1,
      'Nothing was imported: it would delete 1 saved context of scripts. To delete them, add --yes.\n  Line/Check: Mine\n',
    ]);
    const { code: refused, out } = await commandLine(['import', folder, '--mirror', '-w', workspace, '--json']);
    expect([refused, JSON.parse(out)]).toEqual([
      1,
      { losses: [], contexts: [{ script: 'Line/Check', names: ['Mine'] }] },
    ]);
    expect(await imported('--mirror', '--yes')).toMatchObject({ deleted: 1 });
    await done('export', again, '-w', workspace);
    expect(existsSync(join(again, 'scripts', 'Line', 'Check.contexts.json'))).toBe(false);
  });
});
