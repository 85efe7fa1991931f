import { codeUnitAt } from './primordials.ts';

/** One element of a result. PascalCase members are its own; the camelCase ones are aliases (decision 3). */
class TagValueItem {
  Path: string;
  Value: unknown;
  Quality: string;
  Type: string;

  constructor(path: string, value: unknown, quality: string, type: string) {
    this.Path = path;
    this.Value = value;
    this.Quality = quality;
    this.Type = type;
  }

  get path(): string {
    return this.Path;
  }
  set path(path: string) {
    this.Path = path;
  }
  get value(): unknown {
    return this.Value;
  }
  set value(value: unknown) {
    this.Value = value;
  }
  get quality(): string {
    return this.Quality;
  }
  set quality(quality: string) {
    this.Quality = quality;
  }
  get type(): string {
    return this.Type;
  }
  set type(type: string) {
    this.Type = type;
  }
}

/** What Get and Set return. */
class TagValueResult {
  Success: boolean;
  Value: TagValueItem[];

  constructor(success: boolean, items: TagValueItem[]) {
    this.Success = success;
    this.Value = items;
  }

  get success(): boolean {
    return this.Success;
  }
  set success(success: boolean) {
    this.Success = success;
  }
  get value(): TagValueItem[] {
    return this.Value;
  }
  set value(items: TagValueItem[]) {
    this.Value = items;
  }
}

// So that the objects look plain to whoever prints or inspects them.
for (const prototype of [TagValueItem.prototype, TagValueResult.prototype]) {
  (prototype as { constructor?: unknown }).constructor = undefined;
}

/** The columns of an answer as a result; `paths` are the paths as they were asked for. */
export function tagResult(paths: string[], answer: unknown): TagValueResult {
  const { values, qualities, types } = answer as { values: unknown[]; qualities: string[]; types: string[] };
  const items: TagValueItem[] = [];
  let success = true;
  for (let index = 0; index < paths.length; index += 1) {
    const quality = qualities[index] as string;
    if (isBad(quality)) success = false;
    items[index] = new TagValueItem(paths[index] as string, values[index], quality, types[index] as string);
  }
  return new TagValueResult(success, items);
}

function isBad(quality: string): boolean {
  return codeUnitAt(quality, 0) === 66 && codeUnitAt(quality, 1) === 97 && codeUnitAt(quality, 2) === 100;
}
