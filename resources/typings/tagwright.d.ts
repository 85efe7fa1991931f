/**
 * What every Tagwright script can use without importing anything: the variables of the run, `TagValueManager` and
 * `console`. A script is the body of a function: `return` ends it with a result, and `await` may be used.
 */

/** A value as tags keep it: anything that JSON can say. DateTime values are ISO text in UTC, Bytes are Base64 text. */
type TagJson = null | boolean | number | string | TagJson[] | { [member: string]: TagJson };

/** How far a value can be trusted. `Good…` and `Uncertain…` values may be used, `Bad…` ones may not. */
type TagQuality =
  | 'Good'
  | 'GoodLocalOverride'
  | 'Uncertain'
  | 'UncertainInitialValue'
  | 'UncertainLastUsableValue'
  | 'UncertainSensorNotAccurate'
  | 'UncertainEngineeringUnitsExceeded'
  | 'UncertainSubNormal'
  | 'Bad'
  | 'BadConfigurationError'
  | 'BadNotConnected'
  | 'BadDeviceFailure'
  | 'BadSensorFailure'
  | 'BadCommunicationError'
  | 'BadOutOfService'
  | 'BadNodeIdUnknown'
  | 'BadTypeMismatch'
  | 'BadTimeout'
  | 'BadOutOfMemory'
  | 'BadInternalError'
  | 'BadNotReadable'
  | 'BadNotWritable'
  | 'BadNoData'
  | 'BadOutOfRange';

/** The type of a tag value; `Unknown` is the type of a tag that does not exist. */
type TagType = 'Boolean' | 'Int' | 'Double' | 'String' | 'DateTime' | 'Json' | 'Bytes' | 'Unknown';

/** One tag of a result. Every property can be read in both casings: `item.Value` and `item.value`. */
interface TagValueItem {
  /** The path as it was asked for. */
  Path: string;
  /**
   * The current value of the tag, null when there is none. DateTime values are ISO text in UTC
   * (`new Date(item.Value)` makes a Date of it), Bytes values are Base64 text.
   */
  Value: any;
  /** Quality of the value: an OPC UA status code name such as `Good` or `BadNodeIdUnknown` (no such tag). */
  Quality: TagQuality;
  /** Type of the tag value. */
  Type: TagType;
  /** Same as `Path`. */
  path: string;
  /** Same as `Value`. */
  value: any;
  /** Same as `Quality`. */
  quality: TagQuality;
  /** Same as `Type`. */
  type: TagType;
}

/** What `TagValueManager.Get` and `Set` return. Every property can be read in both casings. */
interface TagValueResult {
  /** True when the quality of every element is good or uncertain. */
  Success: boolean;
  /** One element per tag, in the order asked, duplicates included. */
  Value: TagValueItem[];
  /** Same as `Success`. */
  success: boolean;
  /** Same as `Value`. */
  value: TagValueItem[];
}

/** One item of a `TagValueManager.Set`. */
type TagWriteItem =
  | {
      /** Path of the tag: `Root.Groups.TagName.TagProperty`. */
      tag: string;
      /** The value to write. It is converted to the type of the tag only where nothing is lost. */
      value: unknown;
    }
  | {
      /** Path of the tag: `Root.Groups.TagName.TagProperty`. */
      Tag: string;
      /** The value to write. It is converted to the type of the tag only where nothing is lost. */
      Value: unknown;
    };

/** What `TagValueManager.Set` throws when it refuses. Nothing has been written then. */
interface TagWriteError extends Error {
  /** Each item that was refused, and why. */
  failures: { tag: string; reason: string }[];
}

/** Reads and writes tags. */
interface TagValueManager {
  /**
   * Reads any number of tags, of any kinds, in one call.
   *
   * A tag that does not exist does not throw: its element has `Value` null, `Quality` `BadNodeIdUnknown` and `Type`
   * `Unknown`. An argument that is not an array of texts throws a TypeError.
   *
   * @example
   * const result = TagValueManager.Get(['Bottling.Line1.Filler.Speed'], tagScopeDiagram, tagScopeLocation);
   * if (!result.Success) return 0;
   * return result.Value[0].Value;
   *
   * @param tags Paths of the tags, `Root.Groups.TagName.TagProperty`.
   * @param diagram The Diagram scope, for storage and script tags. Left out, null or '': the default shared by all
   *   Diagrams. Normally `tagScopeDiagram` is passed on.
   * @param location The location scope, for storage and script tags. Left out, null or '': the default shared by all
   *   locations. Normally `tagScopeLocation` is passed on.
   */
  Get(tags: readonly string[], diagram?: string | null, location?: string | null): TagValueResult;

  /**
   * Writes any number of tags, of any kinds, in one call: all or nothing, in the order given.
   *
   * Returns the values as written. When one item is refused, nothing is written, and an Error is thrown whose
   * `failures` lists each refused item as `{ tag, reason }`.
   *
   * Dates are written as ISO text, undefined as null, typed arrays and ArrayBuffers as Bytes.
   *
   * @example
   * try {
   *   TagValueManager.Set([{ tag: 'Bottling.Line1.Order.Number', value: 4711 }], tagScopeDiagram, tagScopeLocation);
   * } catch (error) {
   *   console.error(error.message, error.failures);
   * }
   *
   * @param tags The items to write.
   * @param diagram The Diagram scope, for storage and script tags: the value is stored as if that Diagram had written
   *   it. Left out, null or '': the default shared by all Diagrams.
   * @param location The location scope, for storage and script tags. Left out, null or '': the default shared by all
   *   locations.
   */
  Set(tags: readonly TagWriteItem[], diagram?: string | null, location?: string | null): TagValueResult;
}

/** Writes to the console of the run. Entries over the limit are counted, not kept. */
interface Console {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  debug(...values: unknown[]): void;
}

/** Full path of the tag this script runs for, `Root.Groups.TagName.TagProperty`. */
declare const tagName: string;

/** Name of the Diagram that calls the tag, null when no Diagram does. Pass it on to `TagValueManager`. */
declare const tagScopeDiagram: string | null;

/** The location, from the `workcenter` query parameter of the Diagram; null when there is none. */
declare const tagScopeLocation: string | null;

/** The value being written, when the script runs because its tag is written; else undefined. */
declare const tagValue: any;

/** Reads and writes tags. */
declare const TagValueManager: TagValueManager;

/** Writes to the console of the run. */
declare const console: Console;
