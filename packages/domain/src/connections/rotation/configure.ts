import { isDeepStrictEqual } from 'node:util';
import { organizationOf } from '../../access/index.ts';
import { notFound, type Context } from '../../kernel/index.ts';
import { connectionCredentials, requireConnection } from '../app-connection/index.ts';
import { systemNameOf } from '../connection/index.ts';
import { readFields } from '../fields.ts';
import { loginsInUse, nameUse, requireUnused } from '../logins-in-use.ts';
import { credentialsOf } from './credentials.ts';
import type { RotationRow } from './find.ts';
import { loginsOf, type Rotation } from './rotation.ts';
import { takenOver } from './taken-over.ts';

interface Given {
  readonly projectId: string;
  readonly connectionId: string;
  readonly parameters: object;
  readonly temporaryParameters?: Record<string, unknown> | undefined;
}

/** What a rotation changes, and where. */
export interface Configured {
  readonly parameters: object;
  readonly target: string;
  readonly accounts: string[];
}

/**
 * Parameters that fit to the connection with which they are to be used.
 *
 * @param before The rotation that gets them: nothing is asked about logins that it has had.
 * @throws DomainError 404 and 403 for a connection that the caller may not use in the project; 400 for parameters that do not
 * fit.
 */
export async function configure(
  ctx: Context,
  rotation: Rotation,
  { projectId, connectionId, parameters: given, temporaryParameters }: Given,
  before?: RotationRow,
): Promise<Configured> {
  const { title, connector } = rotation;
  const connection = await requireConnection(ctx, { app: connector.app, connectionId }, 'connect');
  if (connection.projectId && connection.projectId !== projectId) throw notFound('app connection');
  const credentials = await connectionCredentials(ctx, connection);
  const parameters = readFields(rotation.parameters, given, { title, code: 'secret_rotation.parameters' });
  rotation.validate?.(parameters, credentials, temporaryParameters);
  const target = systemNameOf(connector.systemOf(credentials));
  const accounts = [...rotation.accounts(parameters)];
  const isThere = before?.target === target;
  if (!isThere || !isDeepStrictEqual(parameters, before.parameters)) {
    const own = takenOver(rotation, isThere ? await credentialsOf(ctx, before) : []);
    const logins = loginsOf(rotation, parameters).filter((login) => !own.has(login));
    const inUse = await loginsInUse(ctx, rotation, { organizationId: organizationOf(ctx), target });
    requireUnused(inUse, logins, await nameUse(ctx, inUse, logins));
  }
  return { parameters, target, accounts };
}
