import { z } from 'zod';
import { organizationPermissions, projectPermissions } from '../../access/index.ts';
import { sealedFieldsOf, withoutDefault } from '../../family/index.ts';
import {
  defineEvent,
  defineUpdate,
  Id,
  inTypeName,
  schemaNamed,
  slug,
  text,
  Timestamps,
  Uuid,
  type Permission,
} from '../../kernel/index.ts';
import type { Connector, Method } from '../connection/index.ts';
import { connectors, type App } from '../registry.ts';

export type { App as ConnectedApp, ListOf as ListOfApp } from '../registry.ts';

const permissions = {
  organization: organizationPermissions('app-connections'),
  project: projectPermissions('app-connections'),
};
export type ConnectionAction = keyof typeof permissions.organization;

/** The permission on the connections of a project, or on those of the organization. */
export const connectionPermission = (action: ConnectionAction, projectId?: string | null): Permission =>
  permissions[projectId ? 'project' : 'organization'][action];

/** Of one of both: what an operation on a connection needs. */
export const connectionPermissions = (action: ConnectionAction): readonly Permission[] => [
  permissions.organization[action],
  permissions.project[action],
];

/** The name of an app that is offered. */
export const AppName = z.enum(connectors.names, `Offered: ${connectors.names.join(', ')}`);

const Name = slug(1, 64).describe('Unique among the connections of the project or organization');
const Description = text(256).nullish();
const NoGateway = z.null('Gateways are not supported').optional().describe('Only null is supported');
const NotManaged = z
  .literal(false, 'Platform-managed credentials are supported for databases only')
  .optional()
  .describe('Only false is supported');
const Managed = z
  .boolean()
  .optional()
  .describe('Whether Coffer changes the password of the login to one that nobody else knows, once it is saved');

const Common = {
  id: Uuid,
  name: z.string(),
  description: z.string().nullable(),
  version: z.int().describe('Counts the changes of the credentials'),
  orgId: Uuid,
  projectId: z.string().nullable().describe('null: the connection belongs to the organization'),
  isPlatformManagedCredentials: z.boolean(),
  gatewayId: z.null(),
  lastCheckedAt: z.date().nullable().describe('When the app was last asked whether it accepts the credentials'),
  lastCheckMessage: z.string().nullable().describe('Why it did not accept them then; null: it did'),
  ...Timestamps.shape,
};

const Fields = schemaNamed('AppConnectionFields', z.object(Common));

/** A connection without what is secret in its credentials. */
export interface AppConnection extends z.output<typeof Fields> {
  readonly app: string;
  readonly method: string;
  readonly credentials: Readonly<Record<string, unknown>>;
}

/** The names of the credentials that readers of a connection get. */
export function shownFields({ credentials, shown = [] }: Method): string[] {
  const hidden = sealedFieldsOf(credentials.shape);
  return Object.keys(credentials.shape).filter((name) => !hidden.has(name) || shown.includes(name));
}

const methodsOf = ({ methods }: Connector) => Object.entries(methods) as [[string, Method], ...[string, Method][]];

/** The fields of an answer are known to the schema alone: the types of the client are made from it. */
type AnswerSchema = z.ZodType<never>;

function answerOf(connector: Connector): AnswerSchema {
  const { app, title } = connector;
  const answers = methodsOf(connector).map(([name, method]) => {
    const shown = Object.fromEntries(shownFields(method).map((field) => [field, method.credentials.shape[field]!]));
    const fields = { app: z.literal(app), method: z.literal(name), credentials: z.object(shown) };
    return Fields.extend(fields);
  });
  const answer = answers.length === 1 ? answers[0]! : z.discriminatedUnion('method', answers as never);
  return schemaNamed(`${inTypeName(app)}Connection`, answer).describe(
    `A connection to ${title}`,
  ) as unknown as AnswerSchema;
}

/** Which method they are of is not known before all of the input is. */
function givenCredentials(connector: Connector): z.ZodType<Readonly<Record<string, unknown>>> {
  const each = methodsOf(connector).map(([name, { credentials }]) => credentials.loose().meta({ title: name }));
  const [only] = each;
  if (each.length === 1 && only) return only;
  const expected = methodsOf(connector).map(
    ([name, { credentials }]) => `${name}: ${neededIn(credentials).join(', ')}`,
  );
  return z.union(each, `Expected the credentials of a method (${expected.join('; ')})`);
}

const neededIn = ({ shape }: z.ZodObject): string[] =>
  Object.keys(shape).filter((name) => !z.safeParse(shape[name], undefined).success);

/** An update has no defaults: omitted fields stay unchanged, and null removes one. */
function changedCredentials(connector: Connector): z.ZodObject {
  const given = new Map<string, z.ZodType[]>();
  for (const [, { credentials }] of methodsOf(connector))
    for (const [name, schema] of Object.entries(credentials.shape))
      given.set(name, [...new Set([...(given.get(name) ?? []), withoutDefault(schema as z.ZodType)])]);
  return z.object(
    Object.fromEntries(
      Array.from(given, ([name, [first, ...others]]) => [
        name,
        (others.length > 0 ? z.union([first!, ...others]) : first!).nullish(),
      ]),
    ),
  );
}

export interface CreateAppConnection {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly projectId?: string | undefined;
  readonly method: string;
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly isPlatformManagedCredentials?: boolean | undefined;
}
export interface AppConnectionRef {
  readonly app: string;
  readonly connectionId: string;
}
export interface UpdateAppConnection {
  readonly connectionId: string;
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly isPlatformManagedCredentials?: boolean | undefined;
}

/** What the operations on connections to one app take and answer. */
export interface AppConnectionSchemas {
  readonly app: App;
  readonly title: string;
  readonly Create: z.ZodObject & z.ZodType<CreateAppConnection>;
  readonly Update: z.ZodObject & z.ZodType<UpdateAppConnection>;
  readonly Answer: AnswerSchema;
  readonly lists: readonly AppConnectionList[];
}

/** What one of the lists of an app takes and answers. */
export interface AppConnectionList {
  readonly name: string;
  /** What it lists, for people. */
  readonly what: string;
  readonly Query: z.ZodObject & z.ZodType<{ readonly connectionId: string }>;
  readonly Answer: AnswerSchema;
}

const listsOf = ({ lists = {} }: Connector): AppConnectionList[] =>
  Object.entries(lists).map(([name, { what, query, answer }]) => ({
    name,
    what,
    Query: z.object({ connectionId: Id, ...query?.shape }) as never,
    Answer: answer as unknown as AnswerSchema,
  }));

const Given = { description: Description, gatewayId: NoGateway };
const CreateFields = schemaNamed(
  'CreateAppConnectionFields',
  z.object({
    name: Name,
    projectId: Id.optional().describe('The project that it belongs to; default: the organization'),
    ...Given,
  }),
);
const UpdateFields = schemaNamed(
  'UpdateAppConnectionFields',
  z.object({ connectionId: Id, name: Name.optional(), ...Given }),
);

function schemasOf(connector: Connector): AppConnectionSchemas {
  const { title } = connector;
  const app = connector.app as App;
  const names = Object.keys(connector.methods);
  const isPlatformManagedCredentials = connector.changeOwnPassword ? Managed : NotManaged;
  return {
    app,
    title,
    Create: CreateFields.extend({
      method: z.enum(names, `Offered: ${names.join(', ')}`),
      credentials: givenCredentials(connector),
      isPlatformManagedCredentials,
    }) as never,
    Update: UpdateFields.extend({
      credentials: changedCredentials(connector)
        .optional()
        .describe('Omitted fields stay unchanged, null removes one. Another target takes the secrets again'),
      isPlatformManagedCredentials,
    }) as never,
    Answer: answerOf(connector),
    lists: listsOf(connector),
  };
}

/** Of every app. */
export const appConnectionSchemas: readonly AppConnectionSchemas[] = connectors.members.map(schemasOf);

/** A connection to any app. */
export const AnyAppConnection = z.discriminatedUnion(
  'app',
  appConnectionSchemas.map(({ Answer }) => Answer) as never,
) as unknown as AnswerSchema;

const InProject = z.object({
  projectId: Id.optional().describe('The connections of this project; default: those of the organization'),
});
export const ListAppConnections = InProject.extend({ app: AppName.optional() });
export type ListAppConnections = z.output<typeof ListAppConnections>;
export const AvailableAppConnections = z.object({
  app: AppName,
  projectId: Id.optional().describe('Also the connections of this project'),
});
export type AvailableAppConnections = z.output<typeof AvailableAppConnections>;
export const AppConnectionRef = z.object({ app: AppName, connectionId: Id });
export const AppConnectionName = InProject.extend({ app: AppName, connectionName: z.string().trim().toLowerCase() });
export type AppConnectionName = z.output<typeof AppConnectionName>;

/** A connection by name, for those who may use it. */
export const AvailableAppConnection = z.object({ app: z.string(), id: Uuid, name: z.string() });
export type AvailableAppConnection = z.output<typeof AvailableAppConnection>;

export const AppConnectionOption = z.object({
  name: z.string().describe('For people'),
  app: z.string(),
  methods: z.array(z.string()).describe('Those for which the operator has set what they need'),
  oauthClientId: z.string().optional().describe('The client ID of the application that users authorize (oauth)'),
  supportsPlatformManagement: z.boolean(),
});
export type AppConnectionOption = z.output<typeof AppConnectionOption>;

/** A method that is not available on this server. */
export const UnavailableMethod = z.object({
  name: z.string().describe('Of the app, for people'),
  app: z.string(),
  method: z.string(),
  missingSetting: z.string().describe('The variable that the operator of this server has to set before it can be used'),
});
export type UnavailableMethod = z.output<typeof UnavailableMethod>;

/** What uses a connection, by project. */
export const AppConnectionUsage = z.object({
  projects: z.array(
    z.object({
      id: Uuid,
      name: z.string(),
      slug: z.string(),
      type: z.string(),
      resources: z.object({
        secretSyncs: z.array(z.object({ id: Uuid, destination: z.string() })),
        certificateAuthorities: z.array(z.object({ id: Uuid, type: z.string(), name: z.string() })),
        secretRotations: z.array(z.object({ id: Uuid, type: z.string() })),
        pkiSyncs: z.array(z.object({ id: Uuid, destination: z.string(), name: z.string() })),
      }),
    }),
  ),
  hiddenResources: z.int().describe('The number of others, which the caller may not read'),
});
export type AppConnectionUsage = z.output<typeof AppConnectionUsage>;

/** Whether an app accepts the credentials of a connection. */
export const AppConnectionCheck = z.object({
  isAccepted: z.boolean(),
  message: z.string().nullable().describe('Why it does not'),
});
export type AppConnectionCheck = z.output<typeof AppConnectionCheck>;

const ConnectionEvent = z.object({ connectionId: z.string(), name: z.string(), app: z.string(), method: z.string() });
export const appConnectionCreated = defineEvent('app_connection.created', 'create-app-connection', ConnectionEvent);
export const appConnectionUpdated = defineUpdate('app_connection.updated', 'update-app-connection', ConnectionEvent);
export const appConnectionDeleted = defineEvent('app_connection.deleted', 'delete-app-connection', ConnectionEvent);
/** What is at the app was asked for with the stored credentials. */
export const appConnectionListRead = defineEvent(
  'app_connection.list_read',
  'get-app-connection-list',
  ConnectionEvent.omit({ method: true }).extend({ list: z.string() }),
);
/** Coffer has changed the password to one that nobody else knows. */
export const appConnectionPasswordChanged = defineEvent(
  'app_connection.password_changed',
  'app-connection-password-changed',
  ConnectionEvent.omit({ method: true }),
);
/** Somebody asked whether the app accepts its credentials. */
export const appConnectionChecked = defineEvent(
  'app_connection.checked',
  'check-app-connection',
  ConnectionEvent.omit({ method: true }),
);
/** The first failure of the scheduled check, after it had succeeded. */
export const appConnectionCheckFailed = defineEvent(
  'app_connection.check_failed',
  'app-connection-check-failed',
  ConnectionEvent.omit({ method: true }),
);
