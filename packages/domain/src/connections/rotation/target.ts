import type { RemoteSession } from '../../family/index.ts';
import { badRequest, notFound, type Context } from '../../kernel/index.ts';
import { connectionCredentials, type ConnectionRow } from '../app-connection/index.ts';
import { AppConnectionEntity, connect, connectBy, systemNameOf } from '../connection/index.ts';
import { loginsInUse, managedOf, requireUnused } from '../logins-in-use.ts';
import type { StoredCredential } from './credentials.ts';
import { exists } from './end-credential.ts';
import type { RotationRow } from './find.ts';
import { loginsOf, type Rotation, type RotationTarget } from './rotation.ts';
import { takenOver } from './taken-over.ts';

interface Opening {
  readonly session: RemoteSession;
  /** The credentials of the rotation. */
  readonly stored: readonly StoredCredential[];
  /** Whether nothing is done but to end them. */
  readonly isEnding?: boolean;
}

/**
 * Opens the system of a rotation, which has to be that for which its connection was chosen.
 *
 * @throws DomainError 400 `secret_rotation.target`, `secret_rotation.parameters`, `secret_rotation.login_in_use`, `remote.*`, `outbound.*`
 */
export async function openTarget(
  ctx: Context,
  { organizationId, connectionId, target, parameters }: RotationRow,
  rotation: Rotation,
  { session, stored, isEnding = false }: Opening,
): Promise<RotationTarget<unknown>> {
  const { connector } = rotation;
  const connection = (await ctx.em.findOne(
    AppConnectionEntity,
    { organizationId, id: connectionId },
    { refresh: true },
  )) as ConnectionRow | null;
  if (!connection) throw notFound('app connection');
  const credentials = await connectionCredentials(ctx, connection);
  if (systemNameOf(connector.systemOf(credentials)) !== target)
    throw badRequest(
      'secret_rotation.target',
      'The connection now reaches another system than when the rotation was set up: save its parameters again to use it there',
    );
  // The connection may have got other credentials since both were saved, and others may log in as its accounts by now.
  const all = [{ parameters }, ...stored];
  for (const each of all) rotation.validate?.(each.parameters, credentials);
  const inUse = await loginsInUse(ctx, rotation, { organizationId, target });
  const logins = (given: readonly { parameters: object }[]) =>
    given.flatMap((one) => loginsOf(rotation, one.parameters));
  requireUnused(managedOf(inUse), logins(all));
  const own = takenOver(rotation, stored);
  const requireOthersUnused = (found: readonly string[]) =>
    requireUnused(
      inUse,
      found.filter((login) => !own.has(login)),
    );
  requireOthersUnused(logins(isEnding ? stored.filter((one) => !exists(one)) : all));
  const row = { id: connectionId, organizationId, projectId: connection.projectId ?? undefined };
  return {
    client: await connect(ctx, { ...row, credentials: connection.credentials }, connector, session),
    credentials,
    as: (changes) => connectBy(ctx, connector, { ...credentials, ...changes }, session, row),
    requireUnused: requireOthersUnused,
    now: session.now,
  };
}

/** Redacts what is secret in some credentials from all texts of a session. */
export function hideSecrets(
  session: RemoteSession,
  { secret }: Rotation,
  credentials: readonly StoredCredential[],
): void {
  for (const { plan, credential, temporary = {} } of credentials) {
    const named: Readonly<Record<string, unknown>> = { ...(plan as object), ...credential };
    for (const value of [...secret.map((name) => named[name]), ...Object.values(temporary)])
      if (typeof value === 'string') session.hide(value);
  }
}
