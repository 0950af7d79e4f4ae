import { conflict, statement, type Transaction } from '../kernel/index.ts';
import { namesOfSystem, systemNameOf, type Connector, type Credentials } from './connection/index.ts';
import { PARAMETERS_IN_USE } from './parameters-in-use.ts';
import { rotations } from './registry.ts';

const ROTATED = statement(
  'secret_rotation.of_app_at_target',
  `select r.type, in_use.parameters from ${PARAMETERS_IN_USE} where r.organization_id = $1 and r.target = any($2)`,
);

/**
 * Requires that no rotation changes the login of a connection whose password Coffer is to manage; the reverse is
 * `requireUnused` in `logins-in-use.ts`.
 *
 * @throws DomainError 400 `app_connection.rotated_login`
 */
export async function requireUnrotated(
  tx: Transaction,
  organizationId: string,
  connector: Connector,
  credentials: Credentials,
): Promise<void> {
  const names = namesOfSystem(connector, systemNameOf(connector.systemOf(credentials)));
  const found = await tx.sql<{ type: string; parameters: object }>(ROTATED, [organizationId, names]);
  const isRotated = found.some(({ type, parameters }) => {
    const rotation = rotations.require(type);
    const login = rotation.connector === connector ? rotation.loginOf(credentials) : undefined;
    return login !== undefined && rotation.accounts(parameters).includes(login);
  });
  // Callers may know nothing of the rotation.
  if (isRotated)
    throw conflict(
      'app_connection.rotated_login',
      'A secret rotation changes the password of this login: give the connection another one',
    );
}
