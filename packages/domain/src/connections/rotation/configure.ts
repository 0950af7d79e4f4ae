import { notFound, type Context } from '../../kernel/index.ts';
import { connectionCredentials, requireConnection } from '../app-connection/index.ts';
import type { System } from '../connection/index.ts';
import { readFields } from '../fields.ts';
import type { Rotation } from './rotation.ts';

interface Given {
  readonly projectId: string;
  readonly connectionId: string;
  readonly parameters: object;
  readonly temporaryParameters?: Record<string, unknown> | undefined;
}

/** The name of a system for what uses it: that of all ways to it that are surely the same. */
export const targetNamed = ({ name, path, base }: System): string => [name, path, base].filter(Boolean).join('/');

/** What a rotation changes, and where. */
export interface Configured {
  readonly parameters: object;
  readonly target: string;
  readonly accounts: string[];
}

/**
 * Parameters that fit to the connection with which they are to be used.
 *
 * @throws DomainError 404 and 403 for a connection that the caller may not use in the project; 400 for parameters that do not
 * fit.
 */
export async function configure(
  ctx: Context,
  rotation: Rotation,
  { projectId, connectionId, parameters: given, temporaryParameters }: Given,
): Promise<Configured> {
  const { title, connector } = rotation;
  const connection = await requireConnection(ctx, { app: connector.app, connectionId }, 'connect');
  if (connection.projectId && connection.projectId !== projectId) throw notFound('app connection');
  const credentials = await connectionCredentials(ctx, connection);
  const parameters = readFields(rotation.parameters, given, { title, code: 'secret_rotation.parameters' });
  rotation.validate?.(parameters, credentials, temporaryParameters);
  return {
    parameters,
    target: targetNamed(connector.systemOf(credentials)),
    accounts: [...rotation.accounts(parameters)],
  };
}
