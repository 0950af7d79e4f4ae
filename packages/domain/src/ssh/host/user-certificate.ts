import { abilityIn, passByRows, unlessHidden } from '../../access/index.ts';
import { forbidden, notFound, parseDuration, type Actor, type Context } from '../../kernel/index.ts';
import { defaultSshAuthorities, sshSignerOf } from '../authority/index.ts';
import { issueSshCertificate, type SshCredentials } from '../certificate/index.ts';
import { ownLogins, principalFor } from '../login/index.ts';
import { DEFAULT_EXTENSIONS } from '../ssh.ts';
import { sshHostPermissions, type IssueSshUserCertificate } from './host.ts';
import { findHost, HOST, type HostRow } from './stored.ts';

const KEY_ALGORITHM = 'ED25519';

/**
 * Issues a certificate with a new key, by which the caller logs in on a host as one of its users. It takes a login mapping of
 * the host or its groups, and no other right. The private key is returned and not stored.
 *
 * @throws DomainError 404 also for callers who may neither read the host nor log in there; 403 `ssh_login.not_mapped`; 400
 * `ssh_authority.disabled`.
 */
export async function issueSshUserCertificate(
  ctx: Context,
  { sshHostId, loginUser }: IssueSshUserCertificate,
): Promise<SshCredentials> {
  const host = await findHost(ctx, sshHostId);
  await requireLogin(ctx, host, loginUser);
  const userSshCaId = host.userSshCaId ?? (await defaultSshAuthorities(ctx, host.projectId)).userSshCaId;
  const { serialNumber, signedKey, publicKey, privateKey } = await issueSshCertificate(
    ctx,
    await sshSignerOf(ctx, userSshCaId),
    {
      certType: 'user',
      principals: [principalFor(host.principalMode, host.id, loginUser)],
      keyId: keyIdOf(ctx.actor),
      ttl: parseDuration(host.userCertTtl)!,
      criticalOptions: {},
      extensions: DEFAULT_EXTENSIONS,
      key: { make: KEY_ALGORITHM },
      host: { id: host.id, ttl: host.userCertTtl, loginUser },
    },
  );
  return { serialNumber, signedKey, publicKey, privateKey: privateKey!, keyAlgorithm: KEY_ALGORITHM };
}

async function requireLogin(ctx: Context, host: HostRow, loginUser: string): Promise<void> {
  const { id, projectId, hostname } = host;
  const ability = await unlessHidden(HOST, abilityIn(ctx, projectId));
  const logins = await ownLogins(ctx, id);
  if (logins.some((one) => one.loginUser === loginUser))
    return passByRows(ctx, (again) => requireLogin(again, host, loginUser));
  if (logins.length === 0 && !ability.can(sshHostPermissions.read, { hostname })) throw notFound(HOST);
  throw forbidden('ssh_login.not_mapped', `No login mapping of this host lets you log in as ${loginUser}`, {
    name: 'PermissionDenied',
  });
}

/** What sshd logs at a login: the ID and, of a user, the name, without characters that would end or disguise a line. */
function keyIdOf(actor: Actor): string {
  const id = `${actor.type}-${'id' in actor ? actor.id : ''}`;
  const name = actor.type === 'user' ? ` ${actor.username.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')}` : '';
  return `${id}${name}`.slice(0, 255);
}
