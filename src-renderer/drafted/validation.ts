/** The props of a field with a message. */
export function validationOf(issue: string | undefined): { validationMessage?: string } {
  return issue === undefined ? {} : { validationMessage: issue };
}
