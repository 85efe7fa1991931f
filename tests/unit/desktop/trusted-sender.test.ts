import { expect, test } from 'vitest';
import { isOurPage } from '../../../src-main/desktop/trusted-sender.ts';

test.each([
  'app://tagwright/',
  'app://tagwright/index.html',
  'app://tagwright/diagrams/A?workcenter=L1#x',
  'APP://tagwright/',
])('%s is one of our pages', (url) => expect(isOurPage(url)).toBe(true));

test.each([
  '',
  'about:blank',
  'app:tagwright',
  'app://tagwright.evil/',
  'app://tagwright:80/',
  'app://evil/tagwright/',
  'app://tagwright@evil/',
  'https://tagwright/',
  'file:///app://tagwright/',
  'data:text/html,app://tagwright/',
  'javascript:location="app://tagwright/"',
])('%s is not', (url) => expect(isOurPage(url)).toBe(false));
