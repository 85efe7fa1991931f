import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { messageOf } from '../../platform/errors.ts';
import { firstBytesOf } from '../../platform/files/plain-file.ts';

/** A certificate in a file, even if its end is missing. */
const PEM = /-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g;

/** All certificates that come with Node have 0.2 MB. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface TrustedCertificates {
  /** The default certificates and those of the files; null for the default ones alone. */
  certificates: string[] | null;
  /** Files that cannot be used, or not completely, and why: calls that need their certificates fail. */
  problems: string[];
}

export function trustedCertificates(files: readonly string[]): TrustedCertificates {
  const read = files.map(certificatesOf);
  const own = read.flatMap(({ certificates }) => certificates);
  return {
    // Read here: Node prepares its certificates when they are first read.
    certificates: own.length === 0 ? null : [...process.getBuiltinModule('node:tls').rootCertificates, ...own],
    problems: read.flatMap(({ problem }, index) =>
      problem === null ? [] : [`setting api.caFiles: "${files[index] ?? ''}" ${problem}`],
    ),
  };
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

/** OpenSSL ignores a damaged certificate without a message. */
function certificatesOf(file: string): { certificates: string[]; problem: string | null } {
  let text: string;
  try {
    const bytes = firstBytesOf(file, MAX_BYTES + 1, { links: true });
    if (bytes === null) return { certificates: [], problem: 'cannot be read: it is missing, or not a file' };
    if (bytes.length > MAX_BYTES) return { certificates: [], problem: 'is larger than 4 MB' };
    text = bytes.toString('latin1');
  } catch (thrown) {
    return { certificates: [], problem: `cannot be read: ${messageOf(thrown)}` };
  }
  const all = text.match(PEM) ?? [];
  if (all.length === 0) return { certificates: [], problem: 'contains no certificate in PEM' };
  const certificates = all.filter(isCertificate);
  const damaged = all.findIndex((pem) => !isCertificate(pem));
  return { certificates, problem: damaged < 0 ? null : `is damaged: its ${damaged + 1}. certificate cannot be read` };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
