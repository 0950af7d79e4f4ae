import type { CofferClient } from '@coffer/client';
import { failure } from '../../exit.ts';
import { TemplateError } from '../../template/error.ts';
import { any, fn, text, variadic, type Functions } from '../../template/functions.ts';
import { isEqual, isList, isMap, sortedEntries, Struct, toJson, typeOf, type Value } from '../../template/value.ts';
import { warnAbout, type Listed } from '../../secrets.ts';
import type { Io } from '../../io.ts';
import { dotenvOf } from '../../format/dotenv.ts';
import { settable, type Variable } from '../../variables.ts';
import type { Leases, Order } from './leases.ts';

/** Something that a template reads. */
interface Source {
  /** The same for the same call. */
  readonly key: string;
  /** Whose events tell that it may have changed. */
  readonly projectId?: string;
  readonly read: () => Promise<Value>;
}

/** What a template has read, with the values. */
export type Readings = ReadonlyMap<string, { readonly source: Source; readonly value: Value }>;

export interface ReadingOptions {
  readonly client: CofferClient;
  readonly leases: Pick<Leases, 'credentials'>;
  readonly io: Pick<Io, 'say'>;
}

/** Reads again what a template has read; `undefined` if all of it is the same. */
export async function readAgain(readings: Readings): Promise<Readings | undefined> {
  const fresh = await Promise.all(
    [...readings].map(async ([key, { source }]) => [key, { source, value: await source.read() }] as const),
  );
  return fresh.every(([key, { value }]) => isEqual(value, readings.get(key)!.value)) ? undefined : new Map(fresh);
}

/** The projects in which the readings are. */
export const projectsOf = (readings: Readings): string[] => [
  ...new Set([...readings.values()].flatMap(({ source }) => source.projectId ?? [])),
];

/**
 * The published functions of templates. What they read is added to `readings`, and taken from `known` where it is there.
 *
 * @see https://pkg.go.dev/text/template for the language that they are called in
 */
export function readingFunctions(
  options: ReadingOptions,
  readings: Map<string, { source: Source; value: Value }>,
  known: Readings = new Map(),
): Functions {
  const read = async (source: Source): Promise<Value> => {
    const before = readings.get(source.key) ?? known.get(source.key);
    const value = before ? before.value : await source.read();
    readings.set(source.key, { source, value });
    return value;
  };
  const listSecrets = variadic([text, text, text], text, ([projectId, environment, path], [more]) =>
    read(listSource(options, projectId, environment, path, more)),
  );
  const dynamicSecret = variadic([text, text, text, text], text, ([projectSlug, environmentSlug, path, name], [ttl]) =>
    read(leaseSource(options, { projectSlug, environmentSlug, path, dynamicSecretName: name, ...(ttl && { ttl }) })),
  );
  return {
    listSecrets,
    secret: listSecrets,
    listSecretsByProjectSlug: variadic([text, text, text], text, async ([slug, environment, path], [more]) => {
      const { id } = await options.client.projects.getBySlug.query({ slug });
      return read(listSource(options, id, environment, path, more));
    }),
    getSecretByName: variadic([text, text, text, text], text, ([projectId, environment, secretPath, secretName]) =>
      read(secretSource(options, { projectId, environment, secretPath, secretName })),
    ),
    dynamicSecret,
    dynamic_secret: dynamicSecret,
    dotenv: fn([any], (value) => dotenv(variablesIn(value), options.io)),
  };
}

/** Lines of a dotenv file, by the rules of `coffer export`. @throws CommandError for what it cannot hold. */
const dotenv = (variables: readonly Variable[], io: Pick<Io, 'say'>): string =>
  dotenvOf(
    settable(variables, { keepsLoaders: false, toKeep: 'To set it all the same, write its line by itself' }, io),
    io,
  );

/** Of a secret, a list of secrets, or the credentials of a lease. @throws TemplateError for what is neither. */
function variablesIn(value: Value): Variable[] {
  if (isList(value)) return value.flatMap(variablesIn);
  const pairs =
    value instanceof Struct ? [[value.fields['Key'], value.fields['Value']]] : isMap(value) ? sortedEntries(value) : [];
  if (!pairs.length && !isMap(value)) throw new TemplateError(`expected secrets, found ${typeOf(value)}`);
  return pairs.map(([name, one]) => ({
    secretKey: text(name),
    secretValue: typeof one === 'string' ? one : JSON.stringify(toJson(one)),
  }));
}

// A source is kept from one rendering to the next. It is made here, where it holds nothing of the values of its rendering: these would hold
// those before them, and so on.

function listSource(
  { client, io }: ReadingOptions,
  projectId: string,
  environment: string,
  secretPath: string,
  more: string | undefined,
): Source {
  const options = modifiers(more);
  return {
    key: JSON.stringify(['list', projectId, environment, secretPath, options]),
    projectId,
    read: async () => listed(await client.secrets.list.query({ projectId, environment, secretPath, ...options }), io),
  };
}

function secretSource(
  { client }: ReadingOptions,
  place: { projectId: string; environment: string; secretPath: string; secretName: string },
): Source {
  const { projectId, environment, secretPath, secretName } = place;
  return {
    key: JSON.stringify(['secret', projectId, environment, secretPath, secretName]),
    projectId,
    read: async () => {
      const options = { ...place, expandSecretReferences: true, includeImports: true };
      const { secret } = await client.secrets.get.query(options);
      if (secret.secretValueHidden) throw failure(`The value of ${secretName} may not be read`);
      return structOf(secret);
    },
  };
}

const leaseSource = ({ leases }: ReadingOptions, order: Order): Source => ({
  key: JSON.stringify(['lease', order]),
  read: () => leases.credentials(order),
});

interface Modifiers {
  readonly recursive: boolean;
  readonly expandSecretReferences: boolean;
  readonly includeImports: boolean;
}

/** The JSON that a list may have as its last argument. @throws TemplateError for what is none. */
function modifiers(given = '{}'): Modifiers {
  let read: unknown;
  try {
    read = JSON.parse(given);
  } catch {
    throw new TemplateError('the last argument has to be JSON, such as `{"recursive": true}`');
  }
  const {
    recursive = false,
    expandSecretReferences = true,
    includeImports = true,
    ...others
  } = (read ?? {}) as Partial<Modifiers>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new TemplateError(`${unknown} is not known; there are recursive, expandSecretReferences and includeImports`);
  return { recursive, expandSecretReferences, includeImports };
}

type Answer = Awaited<ReturnType<CofferClient['secrets']['list']['query']>>;

/** By folder and name: a folder's own secrets replace imported ones, and of imports the last one wins. */
function listed({ secrets, imports = [] }: Answer, io: Pick<Io, 'say'>): Value {
  const own = new Set(secrets.map(({ secretKey }) => secretKey));
  const imported = new Map<string, Listed>();
  for (const one of imports) for (const secret of one.secrets) imported.set(secret.secretKey, secret);
  const all = [...[...imported.values()].filter(({ secretKey }) => !own.has(secretKey)), ...secrets];
  for (const secret of all) warnAbout(secret, io);
  return all
    .filter(({ secretValueHidden }) => !secretValueHidden)
    .toSorted((a, b) => compare(a.secretPath, b.secretPath) || compare(a.secretKey, b.secretKey))
    .map(structOf);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const structOf = ({ secretKey, secretValue, workspace, secretPath, type, id, secretComment }: Listed): Struct =>
  new Struct('secret', {
    Key: secretKey,
    WorkspaceId: workspace,
    Value: secretValue,
    SecretPath: secretPath,
    Type: type,
    ID: id,
    Comment: secretComment,
  });
