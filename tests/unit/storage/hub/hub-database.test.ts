import { expect, test } from 'vitest';
import { withCheckedCertificate } from '../../../../src-main/storage/hub/hub-database.ts';

const address = (parameters: string) => `postgres://hub:a%26b@db.example:5432/tagwright${parameters}`;

test.each([
  ['?sslmode=require', '?sslmode=verify-full'],
  ['?sslrootcert=ca.pem&sslmode=prefer', '?sslrootcert=ca.pem&sslmode=verify-full'],
  ['?sslmode=verify-ca&application_name=x', '?sslmode=verify-full&application_name=x'],
  ['?sslmode=verify-full', '?sslmode=verify-full'],
  ['?sslmode=disable', '?sslmode=disable'],
  ['?sslmode=no-verify', '?sslmode=no-verify'],
  ['', ''],
])('certificates are checked in every mode that asks for encryption: %j', (given, used) => {
  expect(withCheckedCertificate(address(given))).toBe(address(used));
});
