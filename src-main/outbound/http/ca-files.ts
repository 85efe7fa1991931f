import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { messageOf } from '../../platform/errors.ts';
import { HttpFailure } from './http-failure.ts';

/** A certificate in a file, even if its end is missing. */
const PEM = /-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g;

/**
 * The default certificates and those of the files; null for no files. Throws HttpFailure `ConfigurationError` for a
 * file that is unreadable or contains none, and for a damaged certificate: OpenSSL ignores it, and the calls that need
 * it would not report the cause.
 */
export function trustedCertificates(files: readonly string[]): string[] | null {
  if (files.length === 0) return null;
  return [...rootCertificates, ...files.map(checkedFile)];
}

/** Changes when one of the files changes: certificates are renewed while an instance runs. */
export function stampOf(files: readonly string[]): string {
  return files.map(changedAt).join();
}

function changedAt(file: string): string {
  try {
    const { mtimeMs, size } = statSync(file);
    return `${mtimeMs}:${size}`;
  } catch {
    return 'none';
  }
}

function checkedFile(file: string): string {
  const bad = (what: string) => new HttpFailure('ConfigurationError', `setting api.caFiles: "${file}" ${what}`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw bad(`cannot be read: ${messageOf(thrown)}`);
  }
  const certificates = text.match(PEM) ?? [];
  if (certificates.length === 0) throw bad('contains no certificate in PEM');
  const damaged = certificates.findIndex((pem) => !isCertificate(pem));
  if (damaged >= 0) throw bad(`is damaged: its ${damaged + 1}. certificate cannot be read`);
  return text;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
