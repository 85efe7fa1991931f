/** The props of a field with a message. */
export function said(issue: string | undefined): { validationMessage?: string } {
  return issue === undefined ? {} : { validationMessage: issue };
}
