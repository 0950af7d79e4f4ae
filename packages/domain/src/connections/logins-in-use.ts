import { conflict, statement, WorkBudget, type Context } from '../kernel/index.ts';
import { loginsOfDynamicSecrets } from '../secrets/dynamic/index.ts';
import {
  storedCredentials,
  systemNameOf,
  unlessInvalid,
  type Connector,
  type Credentials,
  type StoredConnection,
} from './connection/index.ts';
import { connectors } from './registry.ts';

/** How logins are compared with what a type of rotations changes. */
export interface LoginsOfType {
  readonly connector: Connector;
  readonly loginApps?: readonly string[];
  readonly hasUniqueLogins?: true;
  loginOf(credentials: Credentials): string | undefined;
}

/** The logins that connections and dynamic secrets use; true: Coffer manages the password. */
export type LoginsInUse = ReadonlyMap<string, boolean>;

const CONNECTIONS = statement(
  'app_connection.logins',
  `select id, organization_id as "organizationId", project_id as "projectId", app, given, credentials,
     is_platform_managed as "isManaged"
   from app_connections where organization_id = $1 and app = any($2)`,
);
type ConnectionRow = StoredConnection & { readonly app: string; readonly isManaged: boolean };

/** The cost of opening one, in evaluations of rules. */
const COST = 10;

/**
 * The logins of an organization at a system, in all of its projects, in the form in which a type of rotations names them:
 * those of its connections and dynamic secrets. What another rotation changes is not among them (`rotation/accounts.ts`).
 */
export async function loginsInUse(
  ctx: Context,
  rotation: LoginsOfType,
  { organizationId, target }: { readonly organizationId: string; readonly target: string },
): Promise<LoginsInUse> {
  const { loginApps: apps = [rotation.connector.app] } = rotation;
  const found = new Map<string, boolean>();
  const note = (app: string, credentials: Credentials, isManaged: boolean) => {
    const isThere = () =>
      rotation.hasUniqueLogins === true || systemNameOf(connectors.require(app).systemOf(credentials)) === target;
    const login = unlessInvalid(isThere) === true ? rotation.loginOf(credentials) : undefined;
    if (login !== undefined) found.set(login, isManaged || found.get(login) === true);
  };
  const pace = new WorkBudget();
  for (const row of await ctx.sql<ConnectionRow>(CONNECTIONS, [organizationId, apps])) {
    const credentials = await storedCredentials(ctx, row, connectors.require(row.app));
    if (credentials) note(row.app, credentials, row.isManaged);
    await pace.spendAndRest(COST);
  }
  for (const { app, credentials } of await loginsOfDynamicSecrets(ctx, organizationId, apps))
    note(app, credentials, false);
  return found;
}

/** Those of them whose password Coffer manages. */
export const managedOf = (inUse: LoginsInUse): LoginsInUse => new Map([...inUse].filter(([, isManaged]) => isManaged));

/**
 * Requires that none of some logins is in use: whoever may create rotations would get it, and what uses it could no longer
 * log in. Nothing is said of who uses it, of which the caller may know nothing.
 *
 * @throws DomainError 400 `secret_rotation.managed_login`, `secret_rotation.login_in_use`
 */
export function requireUnused(inUse: LoginsInUse, logins: readonly string[]): void {
  const used = logins.filter((login) => inUse.has(login));
  if (used.some((login) => inUse.get(login)))
    throw conflict(
      'secret_rotation.managed_login',
      'Coffer manages the password of one of these logins, for an app connection at the same system: rotate others',
    );
  if (used.length > 0)
    throw conflict(
      'secret_rotation.login_in_use',
      'An app connection or a dynamic secret of the organization uses one of these logins at the same system: rotate another login, or give that one another login',
    );
}
