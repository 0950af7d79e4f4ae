import { X509Certificate } from 'node:crypto';
import { z } from 'zod';

const MAX_PEM = 100_000;

/** The certificate of an authority in PEM form, or nothing: then the system's are trusted. */
export const CaCertificate = z
  .string()
  .trim()
  .max(MAX_PEM, { abort: true })
  .refine((pem) => pem === '' || isCertificate(pem), 'Expected a certificate in PEM form');

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
