import type { OutboundConnection } from '../../../kernel/index.ts';
import { unauthenticatedCertificate } from '../../../outbound/index.ts';
import { digestOf, reach, ChallengeFailed, type Proof, type ValidateChallenge } from './challenge.ts';

const PROTOCOL = 'acme-tls/1';
/** RFC 8737, section 6.1: id-pe-acmeIdentifier. */
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';
const SUBJECT_ALT_NAME = '2.5.29.17';
/** Bytes of the certificate: its one name, and a key of up to 8,192 bits. What reads it takes long for thousands of values. */
const MAX_CERTIFICATE = 4_096;

/** RFC 8737: the key authorization is in a certificate that the server of the name presents in this protocol. */
export const validateTls: ValidateChallenge = async (ctx, proof) => {
  const connection = await reach(ctx, proof.name, 443);
  try {
    await requireProof(await certificateOf(connection, proof.name), proof);
  } finally {
    connection.stream.destroy();
  }
};

async function certificateOf(connection: OutboundConnection, name: string): Promise<Buffer> {
  const shown = await unauthenticatedCertificate(connection, name, PROTOCOL).catch(() => {
    throw new ChallengeFailed('tls', connection.failure ?? `The handshake with ${name} failed`);
  });
  if (!shown.isSpoken) throw new ChallengeFailed('unauthorized', `${name} does not support ${PROTOCOL}`);
  if (!shown.der) throw new ChallengeFailed('unauthorized', `${name} presents no certificate`);
  if (shown.der.length > MAX_CERTIFICATE)
    throw new ChallengeFailed('unauthorized', `The certificate of ${name} is too large`);
  return shown.der;
}

async function requireProof(raw: Buffer, proof: Proof): Promise<void> {
  const [{ AsnConvert }, { Certificate, SubjectAlternativeName }] = await Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-x509'),
  ]);
  const refused = new ChallengeFailed(
    'unauthorized',
    `${proof.name} presents a certificate without the key authorization`,
  );
  try {
    const extensions = [...(AsnConvert.parse(raw, Certificate).tbsCertificate.extensions ?? [])];
    const one = (oid: string) => {
      const [first, ...more] = extensions.filter(({ extnID }) => extnID === oid);
      if (!first || more.length > 0) throw refused;
      return { critical: first.critical, value: Buffer.from(first.extnValue.buffer) };
    };
    const identifier = one(ACME_IDENTIFIER);
    const expected = Buffer.concat([Buffer.from([0x04, 0x20]), digestOf(proof)]);
    const names = [...AsnConvert.parse(one(SUBJECT_ALT_NAME).value, SubjectAlternativeName)];
    const isForName = names.length === 1 && names[0]!.dNSName?.toLowerCase() === proof.name;
    if (!isForName || !identifier.critical || !identifier.value.equals(expected)) throw refused;
  } catch {
    throw refused;
  }
}
