import { TextDecoder as AnyDecoder, TextEncoder } from '@exodus/bytes/encoding-lite.js';

export { TextEncoder };

/** Their tables would be larger than all other globals together. */
const LARGE_ENCODINGS = new Set(['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'iso-2022-jp', 'shift_jis']);

/** All encodings of the web except those of East Asia with several bytes for each character. */
export class TextDecoder extends AnyDecoder {
  constructor(label?: string, options?: ConstructorParameters<typeof AnyDecoder>[1]) {
    super(label, options);
    if (!LARGE_ENCODINGS.has(this.encoding)) return;
    throw new RangeError(`scripts cannot decode ${this.encoding}; use UTF-8, UTF-16 or an encoding with one byte each`);
  }
}
