import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sealerOf } from '../../../../src-main/outbound/secrets/sealer.ts';
import { SecretVault } from '../../../../src-main/outbound/secrets/secret-vault.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

test.each([
  ['erp_key', 'no secret is named erp_key; did you mean ERP_KEY? Otherwise set it with: tagwright secrets set erp_key'],
  ['ERP_KYE', 'no secret is named ERP_KYE; did you mean ERP_KEY? Otherwise set it with: tagwright secrets set ERP_KYE'],
  ['CAPS', 'no secret is named CAPS; set it with: tagwright secrets set CAPS'],
])('a script that names the unknown secret %s gets a hint', async (name, message) => {
  const directory = join(temporaryFolder(), 'plant');
  const store = openStore(directory);
  onTestFinished(() => store.close());
  const vault = new SecretVault({ ...store, sealer: sealerOf(directory) });
  await vault.set({ name: 'WAREHOUSE', value: 'value-1' });
  await vault.set({ name: 'ERP_KEY', value: 'value-2' });
  expect(() => vault.value(name)).toThrow(expect.objectContaining({ name: 'InvalidArgument', message }));
  expect(vault.value('ERP_KEY')).toBe('value-2');
});
