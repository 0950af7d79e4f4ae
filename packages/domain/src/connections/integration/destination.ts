import { z } from 'zod';
import { badRequest, type OutboundFetch } from '../../kernel/index.ts';
import type { IntegrationCredentials } from './integration-auth.ts';

/** How secrets lie at a target: each by itself, or all in one document. The published names. */
export const Mapping = z.enum(['one-to-one', 'many-to-one']);
export type Mapping = z.output<typeof Mapping>;

/** What the first sync does with what is there before: see `initial.ts`. The published names. */
const InitialSync = z.enum(['overwrite-target', 'prefer-target', 'prefer-source']);

const MAX_TEXT = 1024;
const setting = z.string().max(MAX_TEXT);

/** What an integration is told beside its target. Destinations look at what is theirs and pass over the rest. */
export const IntegrationSettings = z.object({
  initialSyncBehavior: InitialSync.optional().describe('What the first sync does with what is at the target before it'),
  secretPrefix: z.string().max(255).optional().describe('Put before each name at the target'),
  secretSuffix: z.string().max(255).optional().describe('Put after each name at the target'),
  mappingBehavior: Mapping.optional().describe('Each secret by itself, or all of them in one'),
  shouldAutoRedeploy: z.boolean().optional(),
  secretGCPLabel: z.object({ labelName: setting, labelValue: setting }).optional(),
  secretAWSTag: z
    .array(z.object({ key: z.string().min(1).max(128), value: z.string().max(256) }))
    .max(50)
    .optional()
    .describe('Tags of what is made at AWS'),
  azureLabel: setting.optional(),
  githubVisibility: z.enum(['all', 'private', 'selected']).optional(),
  githubVisibilityRepoIds: z
    .array(z.string().regex(/^\d{1,15}$/, 'Expected the number of a repository'))
    .max(1000)
    .optional(),
  kmsKeyId: setting.optional().describe('The key of AWS KMS under which secrets are stored there'),
  shouldDisableDelete: z.boolean().optional().describe('Nothing is removed at the target'),
  shouldEnableDelete: z.boolean().optional().describe('Where nothing is removed by itself: remove after all'),
  shouldMaskSecrets: z.boolean().optional(),
  shouldProtectSecrets: z.boolean().optional(),
  metadataSyncMode: z.enum(['custom', 'secret-metadata']).optional(),
  octopusDeployScopeValues: z.record(z.string().max(64), z.array(setting).max(100)).optional(),
});
export type IntegrationSettings = z.output<typeof IntegrationSettings>;

/** The fields of an integration that say where it writes. What they mean is the destination's to say. */
export const TARGET_FIELDS = [
  'app',
  'appId',
  'owner',
  'path',
  'region',
  'scope',
  'targetEnvironment',
  'targetEnvironmentId',
  'targetService',
  'targetServiceId',
] as const;
export type TargetField = (typeof TARGET_FIELDS)[number];
export type TargetFields = Readonly<Record<TargetField, string | null>>;

/** What a destination reaches the other side by. */
export interface Remote {
  /** As the context's, within the time and the number of calls that one sync may take. Follows no redirects. */
  readonly fetch: OutboundFetch;
  readonly now: Date;
  readonly projectId: string;
  /** Takes a credential that was got on the way (a session's token) out of everything that is said later. */
  hide(credential: string): void;
}

/** Given to a destination when a sync begins; the fields are read, checked and typed by its own schemas. */
export interface Opening<OwnCredentials, Target> {
  readonly credentials: OwnCredentials;
  readonly target: Target;
  readonly settings: IntegrationSettings;
  readonly remote: Remote;
}

/**
 * A target where each secret lies by itself. What the other side refuses is thrown (`rejected`, `throttled` of `remote.ts`);
 * the engine goes on with the others.
 */
export interface SecretStore {
  /**
   * What is there, with values where they can be read. At least what is there under these names; more is passed over,
   * or imported where the mapping says `listsAll`.
   */
  list(names: readonly string[]): Promise<ReadonlyMap<string, string | undefined>>;
  /** Writes one. Bears being done twice. */
  put(name: string, value: string, exists: boolean): Promise<void>;
  /** Removes one. What is gone already is removed. */
  remove(name: string): Promise<void>;
}

/** A target where all secrets lie in one document, beside what others have written there. */
export interface DocumentStore {
  /** The whole of it; `{}` where there is none. */
  read(): Promise<Readonly<Record<string, unknown>>>;
  /** Puts another whole in the place of what was read. */
  write(all: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface Limits {
  /** Of names as they are at the target. */
  readonly name: RegExp;
  /** For people: what `name` expects. */
  readonly expected: string;
  /** Of a value, in bytes. */
  readonly bytes: readonly [least: number, most: number];
  readonly secrets: number;
}

interface MappingBase {
  /** The fields of an integration that it needs, and how they have to look. */
  readonly target: z.ZodObject;
  /** What those have in common that write to one place: nothing is dropped as long as it is the same. */
  place(target: never): string;
  readonly limits: Limits;
}

export interface ItemsMapping extends MappingBase {
  readonly as: 'items';
  /** Whether `list` answers all that is at the target, so that it can be imported. */
  readonly listsAll?: true;
  /** How many are written at the same time. */
  readonly atOnce: number;
  open(opening: Opening<never, never>): Promise<SecretStore>;
}

export interface DocumentMapping extends MappingBase {
  readonly as: 'document';
  open(opening: Opening<never, never>): Promise<DocumentStore>;
}

/**
 * What a destination says of itself. Everything else (credentials, what has changed, prefixes, what may be removed,
 * retries, status) is the same for all and done once.
 */
export interface Destination {
  /** The published name. */
  readonly slug: string;
  /** For people. */
  readonly title: string;
  /** The fields of an integration authentication that it needs, and how they have to look. */
  readonly credentials: z.ZodObject;
  /** Whether it removes only with `shouldEnableDelete`; the others do unless `shouldDisableDelete`. */
  readonly keepsByDefault?: true;
  /** Whether values cannot be read back: then what has changed is known by what was put. */
  readonly writeOnly?: true;
  /** For those: what is put along with each value, in one text. Where that becomes another, all are put again. */
  fingerprint?(settings: IntegrationSettings): string;
  /** The name under which it keeps a secret, where that is another one. */
  nameOf?(name: string): string;
  /** How secrets may lie there; the first one where an integration says nothing. */
  readonly mappings: Readonly<Partial<Record<Mapping, ItemsMapping | DocumentMapping>>>;
}

type Read<Schema extends z.ZodObject> = z.output<Schema>;

/** A way of lying there, typed by the schemas of credentials and target that its functions are given the output of. */
export const items = <OwnCredentials extends z.ZodObject, Target extends z.ZodObject>(
  _credentials: OwnCredentials,
  mapping: Omit<ItemsMapping, 'as' | 'target' | 'place' | 'open'> & {
    readonly target: Target;
    place(target: Read<Target>): string;
    open(opening: Opening<Read<OwnCredentials>, Read<Target>>): Promise<SecretStore>;
  },
): ItemsMapping => ({ ...mapping, as: 'items' });

/** The same for all secrets in one document. */
export const document = <OwnCredentials extends z.ZodObject, Target extends z.ZodObject>(
  _credentials: OwnCredentials,
  mapping: Omit<DocumentMapping, 'as' | 'target' | 'place' | 'open'> & {
    readonly target: Target;
    place(target: Read<Target>): string;
    open(opening: Opening<Read<OwnCredentials>, Read<Target>>): Promise<DocumentStore>;
  },
): DocumentMapping => ({ ...mapping, as: 'document' });

/** A destination that an integration names, with the way in which secrets lie there. */
export interface Chosen {
  readonly destination: Destination;
  readonly mapping: ItemsMapping | DocumentMapping;
}

/**
 * The mapping that some settings choose.
 *
 * @throws DomainError 400 where the destination does not have it, or cannot do what the first sync should.
 */
export function chooseMapping(destination: Destination, settings: IntegrationSettings): Chosen {
  const { mappingBehavior, initialSyncBehavior = 'overwrite-target', metadataSyncMode } = settings;
  const known = Object.keys(destination.mappings) as Mapping[];
  const mapping = destination.mappings[mappingBehavior ?? known[0]!];
  if (!mapping)
    throw badRequest('integration.mapping', `${destination.title} takes as mappingBehavior: ${known.join(', ')}`);
  const readsAll = !destination.writeOnly && (mapping.as === 'document' || mapping.listsAll === true);
  if (initialSyncBehavior !== 'overwrite-target' && !readsAll)
    throw badRequest(
      'integration.initial_sync',
      `${destination.title} cannot be read back like this: initialSyncBehavior has to be overwrite-target`,
    );
  if (metadataSyncMode === 'secret-metadata')
    throw badRequest('integration.metadata_sync', 'The metadata of secrets is not written to other services');
  return { destination, mapping };
}

/**
 * What a mapping needs of an integration's fields.
 *
 * @throws DomainError 400 with each field that is missing or wrong.
 */
export function readTarget({ destination, mapping }: Chosen, fields: TargetFields): Record<string, unknown> {
  return readBy(mapping.target, named(fields), 'integration.target', destination);
}

/** What a destination needs of an integration authentication. @throws DomainError 400, as `readTarget`. */
export function readCredentials(
  destination: Destination,
  credentials: IntegrationCredentials,
): Record<string, unknown> {
  return readBy(destination.credentials, named(credentials), 'integration_auth.credentials', destination);
}

const named = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));

function readBy(schema: z.ZodObject, fields: object, code: string, { title }: Destination): Record<string, unknown> {
  const { success, data, error } = schema.safeParse(fields);
  if (success) return data;
  const names = [...new Set(error.issues.map(({ path }) => path.join('.')))];
  const faults = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw badRequest(code, `${title} needs ${names.join(', ')} (${faults.join('; ')})`, { fields: names });
}

/** For the schemas of members: the address of a server, as an https URL without user name, query and fragment. */
export const httpsUrl = (what: string) => needed(what, 2048).regex(/^https:\/\/[^/?#\s@\\]+(?:\/[^?#\s\\]*)?$/, what);

/** A text that has to be there. */
export const needed = (message: string, max = MAX_TEXT) => z.string(message).trim().min(1, message).max(max);
