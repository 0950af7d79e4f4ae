import { conflict, statement, type Context, type Transaction } from '../kernel/index.ts';
import { openCredentials, sealedAt, systemNameOf, type Connector, type Credentials } from './connection/index.ts';
import { PARAMETERS_IN_USE } from './parameters-in-use.ts';
import { rotations } from './registry.ts';

const MANAGED = statement(
  'app_connection.managed',
  `select id, organization_id as "organizationId", project_id as "projectId", credentials from app_connections
   where organization_id = $1 and app = $2 and is_platform_managed`,
);

/** A type of rotations. */
interface OfType {
  readonly connector: Connector;
  /** The login of a connection in the form of its accounts. */
  loginOf?(credentials: Credentials): string;
}

interface ManagedRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly credentials: Buffer;
}

/** What a rotation changes, and where. */
interface Rotated {
  readonly organizationId: string;
  readonly target: string;
  /** In their canonical form. */
  readonly accounts: readonly string[];
}

/**
 * Requires that a rotation changes no login whose password is that of a connection which Coffer manages: whoever may create
 * rotations would get it, and the connection would lose it. Comes before the transaction.
 *
 * @throws DomainError 400 `secret_rotation.managed_login`
 */
export async function requireUnmanaged(ctx: Context, rotation: OfType, rotated: Rotated): Promise<void> {
  const { connector } = rotation;
  if (!connector.changeOwnPassword) return;
  for (const row of await ctx.sql<ManagedRow>(MANAGED, [rotated.organizationId, connector.app])) {
    const credentials = await openCredentials(ctx, sealedAt(row), row.credentials);
    if (systemNameOf(connector.systemOf(credentials)) !== rotated.target) continue;
    const login = rotation.loginOf?.(credentials);
    if (login !== undefined && rotated.accounts.includes(login))
      throw conflict(
        'secret_rotation.managed_login',
        'Coffer manages the password of one of these logins, for an app connection at the same system: rotate others',
      );
  }
}

const ROTATED = statement(
  'secret_rotation.of_app_at_target',
  `select r.type, in_use.parameters from ${PARAMETERS_IN_USE} where r.organization_id = $1 and r.target = $2`,
);

/**
 * Requires the reverse of a connection whose password Coffer is to manage.
 *
 * @throws DomainError 400 `app_connection.rotated_login`
 */
export async function requireUnrotated(
  tx: Transaction,
  organizationId: string,
  connector: Connector,
  credentials: Credentials,
): Promise<void> {
  const target = systemNameOf(connector.systemOf(credentials));
  const found = await tx.sql<{ type: string; parameters: object }>(ROTATED, [organizationId, target]);
  const isRotated = found.some(({ type, parameters }) => {
    const rotation = rotations.require(type);
    const login = rotation.connector === connector ? rotation.loginOf?.(credentials) : undefined;
    return login !== undefined && rotation.accounts(parameters).includes(login);
  });
  // Callers may know nothing of the rotation.
  if (isRotated)
    throw conflict(
      'app_connection.rotated_login',
      'A secret rotation changes the password of this login: give the connection another one',
    );
}
