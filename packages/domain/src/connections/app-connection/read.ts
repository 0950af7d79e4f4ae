import { organizationOf, projectPermissions, readable, readableAcross, readableAtAll } from '../../access/index.ts';
import { isId, statement, WorkBudget, type Context } from '../../kernel/index.ts';
import { AppConnectionEntity, missingSettingOf } from '../connection/index.ts';
import { pkiSyncsBy, readablePkiSyncs } from '../pki-sync/index.ts';
import { connectors } from '../registry.ts';
import { authoritiesBy, readableAuthorities } from './certificate-use.ts';
import {
  connectionPermission,
  type AppConnection,
  type AppConnectionName,
  type AppConnectionOption,
  type AppConnectionRef,
  type AppConnectionUsage,
  type AvailableAppConnection,
  type AvailableAppConnections,
  type ListAppConnections,
  type UnavailableMethod,
} from './app-connection.ts';
import {
  credentialsOf,
  isNamed,
  requireConnection,
  requireConnectionNamed,
  toConnection,
  type ConnectionRow,
} from './find.ts';

/** The apps that are offered. */
export const appConnectionOptions = ({ settings: { apps } }: Pick<Context, 'settings'>): AppConnectionOption[] =>
  connectors.members.flatMap((connector) => {
    const { app, title, methods } = connector;
    const offered = Object.entries(methods).filter(([, method]) => missingSettingOf(method, apps) === undefined);
    const [application] = offered.flatMap(([, { oauth }]) => (oauth ? [oauth.application] : []));
    if (offered.length === 0) return [];
    return {
      name: title,
      app,
      methods: offered.map(([name]) => name),
      ...(application && { oauthClientId: apps.oauth[application]!.clientId }),
      supportsPlatformManagement: 'changeOwnPassword' in connector,
    };
  });

/** The methods of apps for which the operator has not set what they need. */
export const unavailableMethods = ({ settings: { apps } }: Pick<Context, 'settings'>): UnavailableMethod[] =>
  connectors.members.flatMap(({ app, title, methods }) =>
    Object.entries(methods).flatMap(([method, declared]) => {
      const missingSetting = missingSettingOf(declared, apps);
      return missingSetting === undefined ? [] : [{ name: title, app, method, missingSetting }];
    }),
  );

/** The cost of opening one, in evaluations of rules. */
const OPENING = 10;

async function toConnections(ctx: Context, rows: readonly ConnectionRow[]): Promise<AppConnection[]> {
  const pace = new WorkBudget();
  const connections: AppConnection[] = [];
  for (const row of rows) {
    connections.push(toConnection(row, await credentialsOf(ctx, row)));
    await pace.spendAndRest(OPENING);
  }
  return connections;
}

/** The named connections of a project, or of the organization, by name. */
const connectionsOf = async (ctx: Context, projectId: string | undefined, app?: string): Promise<ConnectionRow[]> =>
  projectId !== undefined && !isId(projectId)
    ? []
    : ((await ctx.em.find(
        AppConnectionEntity,
        { organizationId: organizationOf(ctx), projectId: projectId ?? null, ...isNamed, ...(app && { app }) },
        { orderBy: { name: 'asc' } },
      )) as ConnectionRow[]);

/**
 * The connections of a project, or of the organization, that the caller may read, by name.
 *
 * @throws DomainError 404; 403 if no rule allows to read any.
 */
export async function listAppConnections(
  ctx: Context,
  { projectId, app }: ListAppConnections,
): Promise<AppConnection[]> {
  const isReadable = await readableAtAll(ctx, connectionPermission('read', projectId), { projectId });
  const rows = await connectionsOf(ctx, projectId, app);
  return toConnections(
    ctx,
    rows.filter(({ id }) => isReadable({ connectionId: id })),
  );
}

/** The connections of the organization, and of a project, that the caller may use. */
export async function availableAppConnections(
  ctx: Context,
  { app, projectId }: AvailableAppConnections,
): Promise<AvailableAppConnection[]> {
  const found: AvailableAppConnection[] = [];
  for (const place of projectId === undefined ? [undefined] : [projectId, undefined]) {
    const isUsable = await readable(ctx, connectionPermission('connect', place), { projectId: place });
    const rows = await connectionsOf(ctx, place, app);
    for (const { id, name } of rows) if (isUsable({ connectionId: id })) found.push({ app, id, name });
  }
  return found;
}

/** @throws DomainError 404, 403 */
export async function getAppConnection(ctx: Context, ref: AppConnectionRef): Promise<AppConnection> {
  const row = await requireConnection(ctx, ref, 'read');
  return toConnection(row, await credentialsOf(ctx, row));
}

/** @throws DomainError 404, 403 */
export async function getAppConnectionByName(ctx: Context, named: AppConnectionName): Promise<AppConnection> {
  const row = await requireConnectionNamed(ctx, named);
  return toConnection(row, await credentialsOf(ctx, row));
}

interface Use {
  readonly id: string;
  readonly kind: 'sync' | 'rotation';
  /** The destination of a sync, or the type of a rotation. */
  readonly what: string;
  readonly projectId: string;
  readonly name: string;
  readonly slug: string;
  readonly type: string;
  /** The environment's slug. */
  readonly environment: string;
  readonly secretPath: string;
}

const USES = statement(
  'app_connection.uses',
  `select u.id, u.kind, u.what, p.id as "projectId", p.name, p.slug, p.type, e.slug as environment, u.path as "secretPath"
   from (
     select i.id, 'sync' as kind, i.destination as what, i.project_id, i.environment_id, coalesce(f.path, i.secret_path) as path
     from secret_syncs i left join folders f on f.id = i.folder_id
     where i.organization_id = $1 and i.connection_id = $2
     union all
     select r.id, 'rotation', r.type, r.project_id, f.environment_id, f.path
     from secret_rotations r join folders f on f.id = r.folder_id
     where r.organization_id = $1 and r.connection_id = $2
   ) u join projects p on p.id = u.project_id join environments e on e.id = u.environment_id order by p.name, u.id`,
);

/** Everything that uses a connection. */
export const usesOf = (ctx: Context, { organizationId, id }: ConnectionRow): Promise<Use[]> =>
  ctx.sql<Use>(USES, [organizationId, id]);

/** What uses a connection, as far as the caller may read it. @throws DomainError 404, 403 */
export async function getAppConnectionUsage(ctx: Context, ref: AppConnectionRef): Promise<AppConnectionUsage> {
  const row = await requireConnection(ctx, ref, 'read');
  const uses = await usesOf(ctx, row);
  const projectIds = uses.map(({ projectId }) => projectId);
  const isVisible = {
    sync: await readableAcross(ctx, projectPermissions('secret-syncs').read, projectIds),
    rotation: await readableAcross(ctx, projectPermissions('secret-rotation').read, projectIds),
  };
  const shown = uses.filter(({ kind, projectId, environment, secretPath }) =>
    isVisible[kind]({ projectId, environment, secretPath }),
  );
  const authorities = await authoritiesBy(ctx, row);
  const shownAuthorities = await readableAuthorities(ctx, authorities);
  const pkiSyncs = await pkiSyncsBy(ctx, row);
  const all = [...shown, ...shownAuthorities, ...(await readablePkiSyncs(ctx, pkiSyncs))];
  const projects = [...Map.groupBy(all, ({ projectId }) => projectId).values()].map((own) => {
    const { projectId: id, name, slug, type } = own[0]!;
    const of = (kind: Use['kind']) => own.flatMap((use) => ('kind' in use && use.kind === kind ? [use] : []));
    const secretSyncs = of('sync').map((use) => ({ id: use.id, destination: use.what }));
    const secretRotations = of('rotation').map((use) => ({ id: use.id, type: use.what }));
    const certificateAuthorities = own.flatMap((use) =>
      'authority' in use ? [{ id: use.id, type: use.authorityType, name: use.authority }] : [],
    );
    const ownSyncs = own.flatMap((use) =>
      'pkiSync' in use ? [{ id: use.id, destination: use.destination, name: use.pkiSync }] : [],
    );
    const resources = { secretSyncs, secretRotations, certificateAuthorities, pkiSyncs: ownSyncs };
    return { id, name, slug, type, resources };
  });
  return { projects, hiddenResources: uses.length + authorities.length + pkiSyncs.length - all.length };
}
