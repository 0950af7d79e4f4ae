import type { RemoteSession } from '../../family/index.ts';
import { badRequest, notFound, type Context } from '../../kernel/index.ts';
import { connectionCredentials, type ConnectionRow } from '../app-connection/index.ts';
import { AppConnectionEntity, connect, connectBy, systemNameOf } from '../connection/index.ts';
import { loginsInUse, requireUnused } from '../logins-in-use.ts';
import type { StoredCredential } from './credentials.ts';
import type { RotationRow } from './find.ts';
import { loginsOf, type Rotation, type RotationTarget } from './rotation.ts';

/**
 * Opens the system of a rotation, which has to be that for which its connection was chosen.
 *
 * @param stored The credentials of the rotation.
 * @throws DomainError 400 `secret_rotation.target`, `secret_rotation.parameters`, `secret_rotation.login_in_use`, `remote.*`, `outbound.*`
 */
export async function openTarget(
  ctx: Context,
  { organizationId, connectionId, target, parameters }: RotationRow,
  rotation: Rotation,
  { session, stored }: { readonly session: RemoteSession; readonly stored: readonly StoredCredential[] },
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
  const held = [parameters, ...stored.map((one) => one.parameters)];
  for (const each of held) rotation.validate?.(each, credentials);
  const inUse = await loginsInUse(ctx, rotation, { organizationId, target });
  requireUnused(
    inUse,
    held.flatMap((each) => loginsOf(rotation, each)),
  );
  const row = { id: connectionId, organizationId, projectId: connection.projectId ?? undefined };
  return {
    client: await connect(ctx, { ...row, credentials: connection.credentials }, connector, session),
    credentials,
    as: (changes) => connectBy(ctx, connector, { ...credentials, ...changes }, session, row),
    requireUnused: (found) => requireUnused(inUse, found),
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
