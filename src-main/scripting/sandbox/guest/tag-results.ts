interface TagValueItem {
  Path: string;
  Value: unknown;
  Quality: string;
  Type: string;
}

interface TagValueResult {
  Success: boolean;
  Value: TagValueItem[];
}

interface Shapes {
  Item: new (path: string, value: unknown, quality: string, type: string) => TagValueItem;
  Result: new (success: boolean, items: TagValueItem[]) => TagValueResult;
}

let shapes: Shapes | null = null;

/** The paths of a call, last one first: unlike the elements of an array, its members are always its own. */
export interface Paths {
  path: string;
  before: Paths | null;
}

/** The columns of a response as a result; `paths` are the requested paths. */
export function tagResult(paths: Paths | null, answer: unknown): TagValueResult {
  const { values, qualities, types } = answer as { values: unknown[]; qualities: string[]; types: string[] };
  shapes ??= makeShapes();
  const { Item, Result } = shapes;
  // The texts become items in place: elements that exist pass no setter of a prototype, and unlike the values, which may
  // be an array of plain doubles, they are in an array that can hold objects as it is.
  const items = types as unknown[] as TagValueItem[];
  let success = true;
  let next = paths;
  for (let index = values.length - 1; index >= 0 && next !== null; index -= 1, next = next.before) {
    const quality = qualities[index] as string;
    if (isBad(quality)) success = false;
    items[index] = new Item(next.path, values[index], quality, types[index] as string);
  }
  return new Result(success, items);
}

function isBad(quality: string): boolean {
  return quality[0] === 'B' && quality[1] === 'a' && quality[2] === 'd';
}

/**
 * The classes of results: PascalCase members are an object's own, the camelCase ones are aliases on the prototype.
 * Created at the first result, so that a run without one does not pay for them.
 */
function makeShapes(): Shapes {
  class Item implements TagValueItem {
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

  class Result implements TagValueResult {
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

  // So that the objects look plain when printed: the bundler named their class.
  (Item.prototype as { constructor?: unknown }).constructor = undefined;
  (Result.prototype as { constructor?: unknown }).constructor = undefined;
  return { Item, Result };
}
