import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src-main/storage/database.ts';
import { MIGRATIONS } from '../../../../src-main/storage/migrations/index.ts';
import { TagRepository } from '../../../../src-main/storage/repositories/tag-repository.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { readOne, storage, tagWorkspace } from './tag-workspace.ts';

const PLAIN = storage('Plant.A.Value');
const SHOWN = { ...storage('Plant.B.Value', 'Double', { initial: 0.125 }), format: '0.0 %' };

describe('the number format of a tag', () => {
  test('is stored, and changes neither values nor other tags', async () => {
    const { tags, reopen } = tagWorkspace();
    for (const one of [PLAIN, SHOWN]) await tags.definitions.save(one);
    const again = reopen().definitions;
    expect(again.definition(SHOWN)).toEqual(SHOWN);
    expect(again.definition(PLAIN)).not.toHaveProperty('format');
    expect(again.formats()).toEqual({ 'Plant.B.Value': '0.0 %' });
    expect(readOne(tags, SHOWN.path)).toMatchObject({ value: 0.125 });
    expect(readOne(tags, SHOWN.path)).not.toHaveProperty('format');
    const { format: _format, ...without } = SHOWN;
    await tags.definitions.save(without);
    expect(reopen().definitions.formats()).toEqual({});
  });

  test('is checked when it is saved', async () => {
    const { definitions } = tagWorkspace().tags;
    const text = await thrownBy(() => definitions.save({ ...storage('Plant.A.Value', 'String'), format: '0.0' }));
    expect(text.message).toContain('only Int and Double have a format, but the type is String; leave it empty');
    expect(text.data).toMatchObject({ issues: [{ path: ['format'] }] });
    const pattern = await thrownBy(() => definitions.save({ ...PLAIN, format: '0.00E0' }));
    expect(pattern.message).toContain('Write a pattern such as 0.00, #,##0.0, 0.00E+0 or 0 %');
    const long = await thrownBy(() => definitions.save({ ...PLAIN, format: '0'.repeat(65) }));
    expect(long.message).toContain('at most 64 characters');
    expect(definitions.problems({ ...PLAIN, format: '0\n' }).issues).toMatchObject([{ path: ['format'] }]);
    expect(definitions.size).toBe(0);
  });

  test('is exported only if a tag has one', async () => {
    const { definitions } = tagWorkspace().tags;
    await definitions.save(PLAIN);
    expect(definitions.export({ format: 'csv' }).text).toBe(
      'path,kind,type,unit,description,settings\r\nPlant.A.Value,storage,Double,,,{}\r\n',
    );
    expect(definitions.export({ format: 'json' }).text).toBe(
      '[\n  {"path":"Plant.A.Value","kind":"storage","type":"Double","unit":"","description":"","settings":{}}\n]\n',
    );
    await definitions.save(SHOWN);
    const csv = definitions.export({ format: 'csv' }).text;
    expect(csv.split('\r\n')).toEqual([
      'path,kind,type,unit,format,description,settings',
      'Plant.A.Value,storage,Double,,,,{}',
      'Plant.B.Value,storage,Double,,0.0 %,,"{""initial"":0.125}"',
      '',
    ]);
    const json = definitions.export({ format: 'json' }).text;
    for (const given of [{ format: 'csv', text: csv } as const, { format: 'json', text: json } as const]) {
      const other = tagWorkspace().tags.definitions;
      expect(await other.import(given)).toMatchObject({ created: 2, refused: [] });
      expect(other.export(given).text).toBe(given.text);
      expect(other.definition(PLAIN)).toEqual(PLAIN);
    }
  });

  test('is checked in an import', async () => {
    const { definitions } = tagWorkspace().tags;
    const text = 'path,kind,type,format\r\nPlant.A.Value,storage,Double,#.##\r\nPlant.B.Value,storage,String,0\r\n';
    const { refused } = await definitions.import({ format: 'csv', text });
    expect(refused).toMatchObject([
      { row: 2, path: 'Plant.A.Value', reason: expect.stringContaining('it shows nothing for 0') },
      { row: 3, path: 'Plant.B.Value', reason: expect.stringContaining('only Int and Double have a format') },
    ]);
  });

  test('tags of a former version have none', () => {
    const file = join(temporaryFolder(), 'workspace.db');
    const former = openDatabase(file, { migrations: MIGRATIONS.slice(0, 16) });
    former.exec(`INSERT INTO tags (path, kind, type, description, unit, settings)
      VALUES ('Plant.A.Value', 'storage', 'Double', '', '', '{}')`);
    former.close();
    const database = openDatabase(file);
    expect(new TagRepository(database).byPath('Plant.A.Value')).toMatchObject({ format: null });
    database.close();
  });
});
