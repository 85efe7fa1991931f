/** A text with its percent codes decoded like the parameters of a URL: invalid codes are literal. */
export function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString());
}
