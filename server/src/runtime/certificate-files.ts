import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions, type TlsOptions } from 'node:tls';
import { every } from './every.ts';
import type { Log } from './log.ts';
import { StartFailure } from './start-failure.ts';

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** PEM, as it stands in the files. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** TLS 1.2 and 1.3 with forward secrecy and authenticated encryption, and nothing else. */
const TLS_POLICY = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
} as const satisfies TlsOptions;

/** What a listener with this certificate speaks. */
export function tlsOptions(certificate: Certificate): SecureContextOptions & TlsOptions {
  return { ...TLS_POLICY, ...certificate };
}

/** Reads a certificate and its key; `prefix` begins the names of the two settings. */
export function readCertificate(files: CertificateFiles, prefix: string): Certificate {
  const read = (setting: string, path: string) => {
    try {
      return readFileSync(path);
    } catch {
      throw new StartFailure(`${setting}: ${path} cannot be read.`);
    }
  };
  const certificate = {
    cert: read(`${prefix}_CERT`, files.certFile),
    key: read(`${prefix}_KEY`, files.keyFile),
  };
  const problem = problemOf(certificate);
  if (problem === null) return certificate;
  throw new StartFailure(
    `${prefix}_CERT and ${prefix}_KEY are not a certificate and its key: ${problem}.`,
  );
}

function problemOf(certificate: Certificate): string | null {
  try {
    createSecureContext(tlsOptions(certificate));
    const isPair = new X509Certificate(certificate.cert).checkPrivateKey(
      createPrivateKey(certificate.key),
    );
    return isPair ? null : 'the key belongs to another certificate';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export interface CertificateWatch {
  stop(): void;
}

const CHECK_INTERVAL_MS = 2_000;

/**
 * Looks for a new certificate in the files and hands it on. Files that are no certificate and its key
 * are refused with one line in the log, and the old certificate stays: they may be half written.
 */
export function watchCertificate(
  { files, current, log }: { files: CertificateFiles; current: Certificate; log: Log },
  onRenewed: (certificate: Certificate) => void,
): CertificateWatch {
  let known = current;
  let refused: Certificate | undefined;
  async function check(): Promise<void> {
    const found = await read(files);
    if (!found || isSame(found, known) || (refused && isSame(found, refused))) return;
    const problem = problemOf(found);
    const fields = { certFile: files.certFile, keyFile: files.keyFile };
    if (problem !== null) {
      refused = found;
      log.warn({ ...fields, problem }, 'new TLS certificate refused; the old one stays in use');
      return;
    }
    known = found;
    onRenewed(found);
    log.info(fields, 'new TLS certificate in use');
  }
  const checks = every(CHECK_INTERVAL_MS, check, (error) =>
    log.warn({ err: error }, 'TLS certificate could not be checked'),
  );
  checks.start();
  return { stop: () => void checks.stop() };
}

/** Undefined while a file is missing, as it is for a moment when it is replaced. */
async function read(files: CertificateFiles): Promise<Certificate | undefined> {
  try {
    return { cert: await readFile(files.certFile), key: await readFile(files.keyFile) };
  } catch {
    return undefined;
  }
}

function isSame(one: Certificate, other: Certificate): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key);
}
