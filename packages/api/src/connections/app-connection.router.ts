import {
  AppConnectionCheck,
  checkAppConnection,
  AnyAppConnection,
  AppConnectionName,
  AppConnectionOption,
  appConnectionOptions,
  AppConnectionRef,
  appConnectionSchemas,
  AppConnectionUsage,
  AvailableAppConnection,
  availableAppConnections,
  AvailableAppConnections,
  connectionPermissions,
  createAppConnection,
  deleteAppConnection,
  getAppConnection,
  getAppConnectionByName,
  getAppConnectionUsage,
  ListAppConnections,
  listAppConnections,
  listAtApp,
  UnavailableMethod,
  unavailableMethods,
  updateAppConnection,
  type AppConnectionList,
  type AppConnectionSchemas,
  type ConnectedApp,
  type ListOfApp,
} from '@coffer/domain';
import { z } from 'zod';
import { camel, procedure, rest, router, type Camel } from '../kernel/index.ts';

const path = '/api/v1/app-connections' as const;
const One = z.object({ appConnection: AnyAppConnection });
const Many = z.object({ appConnections: z.array(AnyAppConnection) });
const read = connectionPermissions('read');

/** The operations whose input is the same for all apps: `{app}` is one that is offered. */
export const appConnectionRouter = router({
  options: procedure
    .meta(rest('GET', `${path}/options`, 'member', 'List the available apps'))
    .input(z.object({}))
    .output(
      z.object({
        appConnectionOptions: z.array(AppConnectionOption),
        unavailableMethods: z.array(UnavailableMethod).describe('Those that need something of the operator first'),
      }),
    )
    .query(({ ctx }) => ({
      appConnectionOptions: appConnectionOptions(ctx),
      unavailableMethods: unavailableMethods(ctx),
    })),
  listAll: procedure
    .meta(rest('GET', path, read, 'List the connections of the organization or a project'))
    .input(ListAppConnections.pick({ projectId: true }))
    .output(Many)
    .query(async ({ ctx, input }) => ({ appConnections: await listAppConnections(ctx, input) })),
  list: procedure
    .meta(rest('GET', `${path}/{app}`, read, 'List the connections to an app'))
    .input(ListAppConnections.required({ app: true }))
    .output(Many)
    .query(async ({ ctx, input }) => ({ appConnections: await listAppConnections(ctx, input) })),
  available: procedure
    .meta(
      rest(
        'GET',
        `${path}/{app}/available`,
        connectionPermissions('connect'),
        'List the names of connections to an app that the caller may use',
      ),
    )
    .input(AvailableAppConnections)
    .output(z.object({ appConnections: z.array(AvailableAppConnection) }))
    .query(async ({ ctx, input }) => ({ appConnections: await availableAppConnections(ctx, input) })),
  get: procedure
    .meta(rest('GET', `${path}/{app}/{connectionId}`, read, 'Get a connection'))
    .input(AppConnectionRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ appConnection: await getAppConnection(ctx, input) })),
  getByName: procedure
    .meta(rest('GET', `${path}/{app}/connection-name/{connectionName}`, read, 'Get a connection by its name'))
    .input(AppConnectionName)
    .output(One)
    .query(async ({ ctx, input }) => ({ appConnection: await getAppConnectionByName(ctx, input) })),
  usage: procedure
    .meta(rest('GET', `${path}/{app}/{connectionId}/usage`, read, 'List what uses a connection'))
    .input(AppConnectionRef)
    .output(AppConnectionUsage)
    .query(({ ctx, input }) => getAppConnectionUsage(ctx, input)),
  check: procedure
    .meta(
      rest(
        'POST',
        `${path}/{app}/{connectionId}/check`,
        connectionPermissions('connect'),
        'Check whether the app accepts the credentials of a connection',
      ),
    )
    .input(AppConnectionRef)
    .output(AppConnectionCheck)
    .mutation(({ ctx, input }) => checkAppConnection(ctx, input)),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        `${path}/{app}/{connectionId}`,
        connectionPermissions('delete'),
        'Delete a connection that is not used',
      ),
    )
    .input(AppConnectionRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ appConnection: await deleteAppConnection(ctx, input) })),
});

/** A list of what is at an app. */
const listOf = (app: string, title: string, { name, what, Query, Answer }: AppConnectionList) =>
  procedure
    .meta(
      rest(
        'GET',
        `${path}/${app}/{connectionId}/${name}`,
        connectionPermissions('connect'),
        `List ${what} that a connection to ${title} reaches`,
      ),
    )
    .input(Query)
    .output(Answer)
    .query(async ({ ctx, input }) => (await listAtApp(ctx, app, name, input)) as never);

/** The operations whose input each app declares. */
function routerOf({ app, title, Create, Update, Answer, lists }: AppConnectionSchemas) {
  const answer = z.object({ appConnection: Answer });
  return {
    create: procedure
      .meta(rest('POST', `${path}/${app}`, connectionPermissions('create'), `Create a connection to ${title}`))
      .input(Create)
      .output(answer)
      .mutation(async ({ ctx, input }) => ({ appConnection: await createAppConnection(ctx, app, input) })),
    update: procedure
      .meta(
        rest(
          'PATCH',
          `${path}/${app}/{connectionId}`,
          connectionPermissions('edit'),
          `Update a connection to ${title}; omitted fields stay unchanged`,
        ),
      )
      .input(Update)
      .output(answer)
      .mutation(async ({ ctx, input }) => ({ appConnection: await updateAppConnection(ctx, app, input) })),
    ...(Object.fromEntries(lists.map((list) => [camel(`list-${list.name}`), listOf(app, title, list)])) as object),
  };
}

type Procedures = ReturnType<typeof routerOf>;
type List = ReturnType<typeof listOf>;
/** Named, so that the type of the whole router stays short. */
export type ConnectionProcedures = {
  readonly create: Procedures['create'];
  readonly update: Procedures['update'];
};
/** Those of the lists of an app: `listClients` and the like. */
export type ListProcedures<App extends ConnectedApp> = {
  readonly [Name in ListOfApp<App> as `list${Capitalize<Camel<Name>>}`]: List;
};

type Routers = {
  readonly [App in ConnectedApp as `${Camel<App>}Connections`]: ConnectionProcedures & ListProcedures<App>;
};

/** By app: `awsConnections.create`. */
export const connectionRouters = Object.fromEntries(
  appConnectionSchemas.map((schemas) => [`${camel(schemas.app)}Connections`, routerOf(schemas)]),
) as Routers;
