import { badRequest, parseDuration, type Actor, type Context } from '../../kernel/index.ts';
import { sshSignerOf } from '../authority/index.ts';
import { requireAllowed, requirePrincipals, type CertificateOptions } from '../constraint/index.ts';
import { readPublicKey, type SshOptions } from '../ssh.ts';
import { cachedSshTemplate, requireSshTemplate, type SshTemplate } from '../template/index.ts';
import {
  sshCertificatePermissions,
  type IssueSshCredentials,
  type SignedSshKey,
  type SignSshKey,
  type SshCredentials,
} from './certificate.ts';
import { issueSshCertificate, type IssuedSshCertificate, type SshOrder } from './issue.ts';

type Requested = Omit<IssueSshCredentials, 'keyAlgorithm'>;

/**
 * Issues a certificate for a new key by a template. The private key is returned and not stored.
 *
 * @throws DomainError 404 unknown template, 403; 400 `ssh_certificate_template.disabled`, `ssh_authority.disabled`,
 * `ssh_certificate.type`, `.principals`, `.ttl`, `.key_id`, `.option`.
 */
export async function issueSshCredentials(ctx: Context, input: IssueSshCredentials): Promise<SshCredentials> {
  const { serialNumber, signedKey, publicKey, privateKey } = await byTemplate(ctx, input, {
    make: input.keyAlgorithm,
  });
  return { serialNumber, signedKey, publicKey, privateKey: privateKey!, keyAlgorithm: input.keyAlgorithm };
}

/** The same for a key of the caller. @throws also 400 as `readPublicKey`. */
export async function signSshKey(ctx: Context, input: SignSshKey): Promise<SignedSshKey> {
  const { serialNumber, signedKey } = await byTemplate(ctx, input, () => ({
    publicKey: readPublicKey(input.publicKey),
  }));
  return { serialNumber, signedKey };
}

async function byTemplate(
  ctx: Context,
  input: Requested,
  key: SshOrder['key'] | (() => SshOrder['key']),
): Promise<IssuedSshCertificate> {
  const template = await requireSshTemplate(
    ctx,
    input.certificateTemplateId,
    sshCertificatePermissions.create,
    cachedSshTemplate,
  );
  if (template.status !== 'active')
    throw badRequest('ssh_certificate_template.disabled', 'The SSH certificate template is disabled');
  const order = {
    ...contentOf(template, input),
    key: typeof key === 'function' ? key() : key,
    keyId: keyIdOf(template, input, ctx.actor),
  };
  return issueSshCertificate(ctx, await sshSignerOf(ctx, template.sshCaId), order);
}

function contentOf(
  template: SshTemplate,
  { certType, principals, ...input }: Requested,
): Omit<SshOrder, 'key' | 'keyId'> {
  const isUser = certType === 'user';
  if (!(isUser ? template.allowUserCertificates : template.allowHostCertificates))
    throw badRequest('ssh_certificate.type', `The template does not allow ${certType} certificates`);
  requirePrincipals(certType, principals);
  requireAllowed(certType, principals, isUser ? template.allowedUsers : template.allowedHosts);
  const ttl = input.ttl ?? template.ttl;
  if (parseDuration(ttl)! > parseDuration(template.maxTTL)!)
    throw badRequest('ssh_certificate.ttl', `ttl is ${ttl}; the maximum for this template is ${template.maxTTL}`);
  const { criticalOptions = {}, extensions } = input;
  const options = isUser
    ? optionsOf(template, criticalOptions, extensions)
    : { criticalOptions, extensions: extensions ?? {} };
  return { certType, principals, ttl: parseDuration(ttl)!, ...options, template };
}

function keyIdOf({ allowCustomKeyIds }: SshTemplate, { keyId }: Requested, actor: Actor): string {
  if (keyId === undefined) return `${actor.type}-${'id' in actor ? actor.id : ''}`;
  if (allowCustomKeyIds) return keyId;
  throw badRequest('ssh_certificate.key_id', 'The template does not allow custom key IDs');
}

/**
 * The options of a user certificate. The critical options of the template restrict every certificate, unless it lets
 * requests set them; its extensions are those of requests without any.
 *
 * @throws DomainError 400 `ssh_certificate.option`
 */
function optionsOf(
  template: SshTemplate,
  criticalOptions: SshOptions,
  extensions: SshOptions | undefined,
): CertificateOptions {
  const { defaultCriticalOptions, allowedCriticalOptions, defaultExtensions, allowedExtensions } = template;
  requireOptionsAllowed(criticalOptions, defaultCriticalOptions, allowedCriticalOptions, 'criticalOptions');
  requireOptionsAllowed(extensions ?? {}, defaultExtensions, allowedExtensions, 'extensions');
  return {
    criticalOptions: { ...defaultCriticalOptions, ...criticalOptions },
    extensions: extensions ?? defaultExtensions,
  };
}

/** Each is allowed by its name, or is the same as by default. */
function requireOptionsAllowed(
  requested: SshOptions,
  byDefault: SshOptions,
  allowed: readonly string[],
  kind: keyof CertificateOptions,
): void {
  for (const [name, value] of Object.entries(requested)) {
    if (allowed.includes(name) || (Object.hasOwn(byDefault, name) && byDefault[name] === value)) continue;
    throw badRequest('ssh_certificate.option', `${kind}: the template does not allow ${name} with this value`);
  }
}
