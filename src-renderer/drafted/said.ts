/** The props of a field about which something is to be said. */
export function said(issue: string | undefined): { validationMessage?: string } {
  return issue === undefined ? {} : { validationMessage: issue };
}
