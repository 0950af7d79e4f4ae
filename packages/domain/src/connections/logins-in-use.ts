import { abilityWithinReach } from '../access/index.ts';
import { conflict, statement, unlessInvalid, WorkBudget, type Context } from '../kernel/index.ts';
import { loginsOfDynamicSecrets, readableDynamicSecret } from '../secrets/dynamic/index.ts';
import { connectionById, connectionPermission } from './app-connection/index.ts';
import {
  namesOfSystem,
  storedCredentials,
  systemNameOf,
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

/** A connection or dynamic secret that uses a login. */
export interface LoginUse {
  readonly kind: 'app connection' | 'dynamic secret';
  readonly id: string;
  readonly projectId: string | null;
  /** Whether Coffer manages the password. */
  readonly isManaged: boolean;
}

/** The logins that connections and dynamic secrets use. */
export type LoginsInUse = ReadonlyMap<string, readonly LoginUse[]>;

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
  const found = new Map<string, LoginUse[]>();
  const names = namesOfSystem(rotation.connector, target);
  const note = (app: string, credentials: Credentials, use: LoginUse) => {
    const isThere = () =>
      rotation.hasUniqueLogins === true || names.includes(systemNameOf(connectors.require(app).systemOf(credentials)));
    const login = unlessInvalid(isThere) === true ? rotation.loginOf(credentials) : undefined;
    if (login !== undefined) found.set(login, [...(found.get(login) ?? []), use]);
  };
  const pace = new WorkBudget();
  for (const row of await ctx.sql<ConnectionRow>(CONNECTIONS, [organizationId, apps])) {
    const credentials = await storedCredentials(ctx, row, connectors.require(row.app));
    const { id, projectId = null, isManaged } = row;
    if (credentials) note(row.app, credentials, { kind: 'app connection', id, projectId, isManaged });
    await pace.spendAndRest(COST);
  }
  for (const { app, credentials, id, projectId } of await loginsOfDynamicSecrets(ctx, organizationId, apps))
    note(app, credentials, { kind: 'dynamic secret', id, projectId, isManaged: false });
  return found;
}

const usesOf = (inUse: LoginsInUse, logins: readonly string[]): readonly LoginUse[] =>
  [...new Set(logins)].flatMap((login) => inUse.get(login) ?? []);

/** Those of them whose password Coffer manages. */
export const managedOf = (inUse: LoginsInUse): LoginsInUse =>
  new Map([...inUse].filter(([, uses]) => uses.some(({ isManaged }) => isManaged)));

/** Uses of a login at most that a caller's rights are asked for. */
const MAX_ASKED = 20;

/** What uses one of some logins, by its name; `undefined` where the caller may read nothing that does. */
export async function nameUse(
  ctx: Context,
  inUse: LoginsInUse,
  logins: readonly string[],
): Promise<string | undefined> {
  for (const { kind, id } of usesOf(inUse, logins).slice(0, MAX_ASKED)) {
    const name = kind === 'app connection' ? await connectionName(ctx, id) : await readableDynamicSecret(ctx, id);
    if (name !== undefined) return `The ${kind} ${name}`;
  }
  return undefined;
}

async function connectionName(ctx: Context, connectionId: string): Promise<string | undefined> {
  const row = await connectionById(ctx, connectionId);
  if (!row) return undefined;
  const { name, projectId } = row;
  const ability = await abilityWithinReach(ctx, projectId ?? undefined);
  const fields = { connectionId, ...(projectId && { projectId }) };
  return ability?.can(connectionPermission('read', projectId), fields) ? name : undefined;
}

/**
 * Requires that none of some logins is in use: whoever may create rotations would get it, and what uses it could no longer
 * log in. Of what uses it, callers who may not read it learn only the kind.
 *
 * @param name As `nameUse`, for a caller who waits.
 * @throws DomainError 400 `secret_rotation.managed_login`, `secret_rotation.login_in_use`
 */
export function requireUnused(inUse: LoginsInUse, logins: readonly string[], name?: string): void {
  const uses = usesOf(inUse, logins);
  if (uses.some(({ isManaged }) => isManaged))
    throw conflict(
      'secret_rotation.managed_login',
      'Coffer manages the password of one of these logins, for an app connection at the same system: rotate others',
    );
  const [use] = uses;
  if (!use) return;
  const who = name ?? `${use.kind === 'app connection' ? 'An' : 'A'} ${use.kind} of the organization`;
  throw conflict(
    'secret_rotation.login_in_use',
    `${who} uses one of these logins at the same system: rotate another login, or give that one another login`,
  );
}
