import { badRequest, inTransaction, record, type Context } from '../../kernel/index.ts';
import { nameText, readCsr, type ReadCsr, type Subject } from '../x509.ts';
import {
  authorityPermissions,
  intermediateSigned,
  type SignedIntermediate,
  type SignIntermediate,
} from './authority.ts';
import { certifyFirst } from './certify.ts';
import { pathLengthOf } from './create.ts';
import { requireAuthority } from './find.ts';
import { storeIssued } from './issued.ts';
import { toCertificate } from './renew.ts';
import { signerNamed } from './signer.ts';

/**
 * Signs the certificate of another authority, of the project or external. Only the key and the subject of the CSR are
 * used; its other requests must equal what is issued.
 *
 * @throws DomainError 400 with the rule that the CSR or the order violates.
 */
export async function signIntermediate(ctx: Context, input: SignIntermediate): Promise<SignedIntermediate> {
  const authority = await requireAuthority(ctx, input.caId, authorityPermissions['sign-intermediate']);
  const signer = await signerNamed(ctx, authority);
  const csr = readCsr(input.csr);
  const subject = subjectOf(csr);
  const { notBefore, notAfter, nameConstraints } = input;
  const maxPathLength = pathLengthOf(input.maxPathLength);
  const certified = await certifyFirst(ctx, signer, csr.publicKey, {
    subject,
    notBefore,
    notAfter,
    maxPathLength,
    nameConstraints,
  });
  const { serialNumber } = certified.certificate;
  await inTransaction(ctx, async (tx) => {
    const certificateId = await storeIssued(tx, signer, certified);
    const data = { caId: authority.id, name: authority.name, certificateId, serialNumber, dn: nameText(subject) };
    record(tx, intermediateSigned, data, { projectId: authority.projectId });
  });
  return { ...toCertificate(certified), issuingCaCertificate: signer.issuingCaCertificate };
}

const USUAL_USAGES: ReadonlySet<string> = new Set(['digitalSignature', 'keyCertSign', 'cRLSign']);

function subjectOf(csr: ReadCsr): Subject {
  const { other, ...subject } = csr.subject;
  const refuse = (rule: string, message: string) => badRequest(`csr.${rule}`, message);
  if (other.length > 0)
    throw refuse('subject', `The subject has attributes that are not supported: ${other.join(', ')}`);
  if (Object.values(subject).every((value) => value === undefined || value.length === 0))
    throw refuse('subject', 'The subject of an authority must not be empty');
  if (csr.altNames.length > 0) throw refuse('alt_names', 'CA certificates cannot have alternative names');
  if (csr.extendedKeyUsages?.length)
    throw refuse('extended_key_usage', 'CA certificates cannot have extended key usages');
  const usages = csr.keyUsages?.filter((usage) => !USUAL_USAGES.has(usage)) ?? [];
  if (usages.length > 0) throw refuse('key_usage', `CA keys cannot be used for ${usages.join(', ')}`);
  if (csr.extensions.length > 0)
    throw refuse('extension', `The CSR requests extensions that are not supported: ${csr.extensions.join(', ')}`);
  return subject;
}
