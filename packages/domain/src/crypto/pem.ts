import { z } from 'zod';
import { nodeCrypto } from '../kernel/schema.ts';

const MAX_PEM = 100_000;

/** The certificate of an authority in PEM form, or nothing: then the system's are trusted. */
export const CaCertificate = z
  .string()
  .trim()
  .max(MAX_PEM, { abort: true })
  .refine((pem) => pem === '' || isCertificate(pem), 'Expected a certificate in PEM form');

function isCertificate(pem: string): boolean {
  try {
    return nodeCrypto === undefined || new nodeCrypto.X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
