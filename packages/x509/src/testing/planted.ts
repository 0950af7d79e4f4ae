import { signatureIdentifier, spkiOf } from '../algorithm.ts';
import type { CertificateContent, Issuer } from '../content.ts';
import { bitString, der, integer, integerOf, sequence, time } from '../der.ts';
import * as extensions from '../extension.ts';
import { EXTENSIONS, extension } from '../extension.ts';
import { encodeName } from '../name.ts';

/** The parts of a certificate, each of which can be replaced. All are DER. */
export interface Parts {
  version: Buffer[];
  serialNumber: Buffer;
  algorithm: Buffer;
  issuer: Buffer;
  notBefore: Buffer;
  notAfter: Buffer;
  subject: Buffer;
  spki: Buffer;
  uniqueIds: Buffer[];
  extensions: Record<string, Buffer>;
  more: Buffer[];
  outerAlgorithm: Buffer;
}

const parts = (content: CertificateContent, issuer: Issuer): Parts => ({
  version: [der(0xa0, integer(2))],
  serialNumber: integerOf(Buffer.from(content.serialNumber, 'hex')),
  algorithm: signatureIdentifier(issuer.algorithm),
  issuer: Buffer.from(issuer.name),
  notBefore: time(content.notBefore),
  notAfter: time(content.notAfter),
  subject: encodeName(content.subject),
  spki: spkiOf(content.publicKey),
  uniqueIds: [],
  extensions: {
    basicConstraints: extension(EXTENSIONS.basicConstraints, !!content.ca, extensions.basicConstraints(content.ca)),
    keyUsage: extension(EXTENSIONS.keyUsage, true, extensions.keyUsage(content.keyUsages)),
    ...(content.extendedKeyUsages.length > 0 && {
      extendedKeyUsage: extension(
        EXTENSIONS.extendedKeyUsage,
        false,
        extensions.extendedKeyUsage(content.extendedKeyUsages),
      ),
    }),
    ...(content.altNames.length > 0 && {
      altNames: extension(EXTENSIONS.subjectAltName, false, extensions.subjectAltName(content.altNames)),
    }),
    subjectKeyId: extension(
      EXTENSIONS.subjectKeyIdentifier,
      false,
      extensions.subjectKeyIdentifier(Buffer.alloc(20, 1)),
    ),
    authorityKeyId: extension(
      EXTENSIONS.authorityKeyIdentifier,
      false,
      extensions.authorityKeyIdentifier(issuer.keyId),
    ),
  },
  more: [],
  outerAlgorithm: signatureIdentifier(issuer.algorithm),
});

/** A certificate with a fault, unsigned. */
export function planted(content: CertificateContent, issuer: Issuer, change: (parts: Parts) => void): Buffer {
  const all = parts(content, issuer);
  change(all);
  const list = [...Object.values(all.extensions), ...all.more];
  const tbs = sequence(
    ...all.version,
    all.serialNumber,
    all.algorithm,
    all.issuer,
    sequence(all.notBefore, all.notAfter),
    all.subject,
    all.spki,
    ...all.uniqueIds,
    ...(list.length ? [der(0xa3, sequence(...list))] : []),
  );
  return sequence(tbs, all.outerAlgorithm, bitString(Buffer.alloc(64)));
}
