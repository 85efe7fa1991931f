/** A text with its percent codes read, as the parameters of a URL are: what is no code stands for itself. */
export function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString());
}
