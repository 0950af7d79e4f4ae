import { authorize, organizationOf, projectIdBySlug } from '../../access/index.ts';
import { generateInTurn } from '../../crypto/index.ts';
import {
  badRequest,
  explainConstraint,
  fewIn,
  newId,
  notFound,
  record,
  slugFrom,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { encodeName, generateKey, nameText, type KeyPair, type Subject } from '../x509.ts';
import { activate } from './activate.ts';
import { toAuthority } from './answer.ts';
import { AuthorityEntity } from './authority.entity.ts';
import {
  authorityActivated,
  authorityCreated,
  authorityPermissions,
  type Authority,
  type CreateAuthority,
  type CreateAuthorityV1,
} from './authority.ts';
import { certifyFirst, certifyRoot, nameConstraintsOf, USUAL_LIFE, type Certified, type Wanted } from './certify.ts';
import { AUTHORITY, requireAuthority } from './find.ts';
import { storeIssued } from './issued.ts';
import { inPathsTransaction } from './paths.ts';
import { signerNamed, type Signer } from './signer.ts';
import { addKey } from './stored.ts';

explainConstraint(
  'certificate_authorities_name_unique',
  'A certificate authority with this name already exists in the project',
);

type Configuration = CreateAuthority['configuration'];

const requireFewAuthorities = fewIn('project', {
  table: 'certificate_authorities',
  most: 1_000,
  code: 'ca.too_many',
  of: 'certificate authorities',
});

/**
 * Creates an authority with a new key. A root gets its certificate immediately, and so does an intermediate with a
 * parent in the project; any other intermediate waits for an import.
 *
 * @throws DomainError 400 `certificate_authorities_name_unique`; a rule of RFC 5280; 403 also if the caller may not
 * have intermediates signed by the parent.
 */
export async function createAuthority(ctx: Context, input: CreateAuthority): Promise<Authority> {
  const { projectId, name, configuration } = input;
  await authorize(ctx, authorityPermissions.create, { projectId, name });
  const parent = await parentOf(ctx, projectId, configuration);
  const subject = subjectOf(configuration);
  const pair = await generateInTurn(ctx, configuration.keyAlgorithm, () => generateKey(configuration.keyAlgorithm));
  const certified = await firstCertificate(ctx, configuration, { subject, pair, parent });
  const dn = nameText(subject);
  const nameConstraints = nameConstraintsOf(configuration.nameConstraints);
  return inPathsTransaction(ctx, projectId, async (tx) => {
    const row = tx.em.create(AuthorityEntity, {
      id: newId(),
      organizationId: organizationOf(ctx),
      projectId,
      name,
      friendlyName: configuration.friendlyName || dn,
      type: configuration.type,
      status: certified ? input.status : 'pending-certificate',
      ocspResponder: input.ocspResponder ?? 'authority',
      enableDirectIssuance: input.enableDirectIssuance ?? !(input.disableDirectIssuance ?? false),
      subject,
      dn,
      keyAlgorithm: configuration.keyAlgorithm,
      maxPathLength: pathLengthOf(configuration.maxPathLength),
      nameConstraints,
      parentCaId: parent?.caId ?? null,
    });
    await tx.em.persist(row).flush();
    await requireFewAuthorities(tx, row.projectId);
    const keyId = await addKey(tx, row, pair);
    record(tx, authorityCreated, { caId: row.id, name }, { projectId });
    if (certified) await keepFirst(tx, row, keyId, certified, parent);
    else {
      row.activeKeyId = keyId;
      await tx.em.flush();
    }
    return toAuthority(row);
  });
}

/** -1, as published, is any number. */
export const pathLengthOf = (given: number | null): number | null => (given === null || given < 0 ? null : given);

/** @throws DomainError 400 `subject.empty`, `subject.<field>`. */
function subjectOf(given: Configuration): Subject {
  const { commonName, organization, ou, country, province, locality } = given;
  const all = { commonName, organization, organizationalUnit: ou, country, province, locality };
  const subject: Subject = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  if (Object.keys(subject).length === 0)
    throw badRequest(
      'subject.empty',
      'At least one of commonName, organization, ou, country, province and locality is required',
    );
  encodeName(subject);
  return subject;
}

async function parentOf(ctx: Context, projectId: string, given: Configuration): Promise<Signer | undefined> {
  if (!given.parentCaId) return undefined;
  if (given.type === 'root') throw badRequest('certificate_authority.root', 'A root has no parent authority');
  return requireParent(ctx, projectId, given.parentCaId);
}

/**
 * The authority of the project by which the caller may have others signed, with the name for which that was asked.
 *
 * @throws DomainError 404, 403, 400.
 */
export async function requireParent(ctx: Context, projectId: string, parentCaId: string): Promise<Signer> {
  const parent = await requireAuthority(ctx, parentCaId, authorityPermissions['sign-intermediate']);
  if (parent.projectId !== projectId) throw notFound(AUTHORITY);
  return signerNamed(ctx, parent);
}

/** The default expiry: in ten years, or that of the issuer. */
export function usualEnd(begin: Date, signer: Signer | undefined): Date {
  const end = begin.getTime() + USUAL_LIFE;
  return new Date(Math.min(end, signer?.issuer.notAfter.getTime() ?? end));
}

interface Making {
  readonly subject: Subject;
  readonly pair: KeyPair;
  readonly parent: Signer | undefined;
}

async function firstCertificate(
  ctx: Context,
  given: Configuration,
  { subject, pair, parent }: Making,
): Promise<Certified | undefined> {
  const { notBefore, nameConstraints } = given;
  const notAfter = given.notAfter ?? usualEnd(notBefore ?? ctx.now(), parent);
  const wanted: Wanted = {
    subject,
    notBefore,
    notAfter,
    maxPathLength: pathLengthOf(given.maxPathLength),
    nameConstraints,
  };
  if (given.type === 'root') return certifyRoot(ctx, pair, given.keyAlgorithm, wanted);
  return parent && certifyFirst(ctx, parent, pair.publicKey, wanted);
}

/** Stores and activates a certificate. */
export async function keepFirst(
  tx: Transaction,
  row: AuthorityEntity,
  keyId: string,
  certified: Certified,
  parent: Signer | undefined,
): Promise<void> {
  if (parent) await storeIssued(tx, parent, certified);
  const caCertificateId = await activate(tx, row, keyId, certified);
  if (!parent) return;
  const { serialNumber } = certified.certificate;
  const data = { caId: row.id, name: row.name, serialNumber, caCertificateId, parentCaId: parent.caId };
  record(tx, authorityActivated, data, { projectId: row.projectId });
}

/** The legacy form: the project by its slug, and a generated name. */
export async function createAuthorityV1(ctx: Context, input: CreateAuthorityV1): Promise<Authority> {
  const { projectSlug, requireTemplateForIssuance, ...configuration } = input;
  const { friendlyName, commonName, organization } = configuration;
  return createAuthority(ctx, {
    projectId: await projectIdBySlug(ctx, projectSlug),
    name: slugFrom(friendlyName || commonName || organization || 'ca', 32),
    status: 'active',
    enableDirectIssuance: !(requireTemplateForIssuance ?? false),
    configuration,
  });
}
