// One module at a time: the complete entry would bring its own Map and Set, which are not those of the script.
import 'core-js-pure/modules/web.dom-exception.constructor.js';
import 'core-js-pure/modules/web.dom-exception.stack.js';
import 'core-js-pure/modules/web.dom-exception.to-string-tag.js';
import 'core-js-pure/modules/web.structured-clone.js';
import path from 'core-js-pure/internals/path.js';

export const { structuredClone } = path;
