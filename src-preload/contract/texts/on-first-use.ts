/** For a schema that is created when it is first asked for: a short command needs few of them. */
export function onFirstUse<T>(create: () => T): () => T {
  let created: { value: T } | null = null;
  return () => (created ??= { value: create() }).value;
}
