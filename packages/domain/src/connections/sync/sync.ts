import { z } from 'zod';
import type { Connector } from '../connection/index.ts';
import { readFields } from '../fields.ts';

/** A template of names at the destination, as `PROD_{{secretKey}}`: one secret key, and the environment's slug. */
const KEY_SCHEMA = /^$|^(?:[\w/-]|\{\{environment\}\})*\{\{secretKey\}\}(?:[\w/-]|\{\{environment\}\})*$/;
const KeySchema = z
  .string()
  .max(255)
  .regex(
    KEY_SCHEMA,
    'Expected {{secretKey}} once, and otherwise only letters, digits, _, -, / and {{environment}}, as PROD_{{secretKey}}',
  )
  .meta({ examples: ['PROD_{{secretKey}}'] });

/** Options of every sync, in addition to those of its destination. */
export const SyncOptions = z.object({
  initialSyncBehavior: z
    .enum(['overwrite-destination', 'import-prioritize-source', 'import-prioritize-destination'])
    .default('overwrite-destination')
    .describe('What the first sync does with what is at the destination before it'),
  prefix: z.string().max(255).default('').describe('Put before each name at the destination'),
  suffix: z.string().max(255).default('').describe('Put after each name at the destination'),
  keySchema: KeySchema.optional().describe(
    'The names at the destination. With overwrite-destination, all items there with such a name belong to the sync',
  ),
  disableSecretDeletion: z.boolean().default(false).describe('Nothing is removed at the destination'),
});
export type SyncOptions = z.output<typeof SyncOptions>;

/** Which value an import prefers where the folder and the destination have different ones. */
export const ImportBehavior = z.enum(['prioritize-source', 'prioritize-destination']);
export type ImportBehavior = z.output<typeof ImportBehavior>;

/**
 * A destination with one item per secret. If the remote rejects an item, throw (`rejected`, `throttled` of `family`);
 * the engine continues with the others.
 */
export interface SecretStore {
  /**
   * The existing items, with values if they can be read: at least those with these names, and all if `isWhole`, which is
   * only asked of layouts with `listsAll`.
   */
  list(
    names: readonly string[],
    wanted: { readonly isWhole: boolean },
  ): Promise<ReadonlyMap<string, string | undefined>>;
  /** Writes one item. Idempotent. */
  put(name: string, value: string, exists: boolean): Promise<void>;
  /** Deletes one item. Idempotent. */
  remove(name: string): Promise<void>;
  /** Makes the tags of an item those of its secret, where the sync `writesMetadata`. Idempotent. */
  tag?(name: string, metadata: Metadata): Promise<void>;
}

/** The metadata of a secret that are not encrypted: values by their keys. */
export type Metadata = ReadonlyMap<string, string>;

/** A destination with all secrets in one document, which may contain entries of others. */
export interface DocumentStore {
  /** The whole document; `{}` if it does not exist. */
  read(): Promise<Readonly<Record<string, unknown>>>;
  /** Puts another whole in the place of what was read. */
  write(all: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface Limits {
  /** Limits of names as they are at the destination. */
  readonly name: RegExp;
  /** For people: what `name` expects. */
  readonly expected: string;
  /** Of a value, in bytes. */
  readonly bytes: readonly [least: number, most: number];
  readonly secrets: number;
  /** Maximum number of concurrent writes; default 1. */
  readonly concurrency?: number;
}

/** The layout at a destination: what `open` returns, and its limits. */
export interface Layout {
  readonly as: 'secrets' | 'document';
  /** Common to all syncs with the same target: entries are kept while it is unchanged. */
  readonly location: string;
  /**
   * Texts of the place for a comparison, below the `base` of the credentials' system, if configurations and credentials
   * can name the same one in several ways: one in common is enough. Default: the location.
   */
  placesIn?(base: string): readonly string[];
  /** For a document that is also an item of the layout `secrets` of this destination: its location and name there. */
  readonly item?: { readonly location: string; readonly name: string };
  readonly limits: Limits;
  /** Whether `list` of a `SecretStore` can return all items. */
  readonly listsAll?: true;
}

/** The published names of the layout at `/api/v1/integration`. */
export type MappingBehavior = 'one-to-one' | 'many-to-one';

/** The target fields of an integration. */
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

/** The name of a destination at `/api/v1/integration`, and its fields. */
export interface IntegrationNames {
  /** The published name of the integration. */
  readonly name: string;
  /** The field of an integration for each field of the configuration. */
  readonly fields: Readonly<Record<string, TargetField>>;
  /** Where fields have other values there. */
  config?(named: Readonly<Record<string, string>>): Readonly<Record<string, unknown>>;
  /** The supported layouts; the first is the default. */
  readonly mappings: readonly [MappingBehavior, ...MappingBehavior[]];
  /** Whether it removes only with `shouldEnableDelete`; the others do unless `shouldDisableDelete`. */
  readonly keepsByDefault?: true;
}

interface Facts {
  /** The published name. */
  readonly destination: string;
  /** For people. */
  readonly title: string;
  /** Whether values cannot be read back: changes are then detected by what was written. */
  readonly writeOnly?: true;
  /** The name of an item, if it differs from that of the secret. */
  nameOf?(name: string): string;
  /** Whether names that differ only in case are the same item. */
  readonly ignoresCase?: true;
  /** How it is called at `/api/v1/integration`, if it is published there. */
  readonly integration?: IntegrationNames;
}

/**
 * The declaration of a destination. Everything else (credentials, comparison, prefixes, deletion, retries, status) is
 * in the engine.
 */
interface Declaration<Client, Config extends z.ZodType, Options extends z.ZodRawShape> extends Facts {
  readonly connector: Connector<Client>;
  /** The schema of the target. */
  readonly config: Config;
  /** Options in addition to `SyncOptions`. */
  readonly options?: z.ZodObject<Options>;
  layout(config: z.output<Config>): Layout;
  /**
   * For `writeOnly`: a text of everything that is written with each value. If it changes, all items are written again.
   */
  fingerprint?(config: z.output<Config>): string;
  /**
   * Whether the metadata of secrets are written as well, by `tag` of its store.
   *
   * @throws DomainError 400 where these options do not fit to the target.
   */
  writesMetadata?(config: z.output<Config>, options: z.output<z.ZodObject<Options>>): boolean;
  /** Opens a `SecretStore` or a `DocumentStore`, as the layout declares. */
  open(
    client: Client,
    config: z.output<Config>,
    options: SyncOptions & z.output<z.ZodObject<Options>>,
  ): SecretStore | DocumentStore | Promise<SecretStore | DocumentStore>;
}

/** A destination of secrets. */
export interface Sync extends Facts {
  readonly connector: Connector;
  /** The published schemas of `destinationConfig` and `syncOptions`. */
  readonly schemas: { readonly config: z.ZodType<object>; readonly options: z.ZodObject };
  /**
   * Parses the target and the options, stored or given.
   *
   * @param names The callers' names of the fields, if they differ.
   * @throws DomainError 400 with each field that is missing or invalid.
   */
  configure(config: unknown, options: unknown, names?: Readonly<Record<string, string>>): ConfiguredSync;
}

export interface ConfiguredSync {
  readonly sync: Sync;
  /** The stored form. */
  readonly config: object;
  readonly options: SyncOptions;
  readonly layout: Layout;
  readonly fingerprint: string | undefined;
  readonly writesMetadata: boolean;
  open(client: unknown): Promise<SecretStore | DocumentStore>;
}

/** Declares a destination, typed by its schemas and by the client of its connector. */
export function defineSync<
  Client,
  Config extends z.ZodType<object>,
  const Destination extends string,
  Options extends z.ZodRawShape = {},
>(
  declaration: Declaration<Client, Config, Options> & { readonly destination: Destination },
): Sync & { readonly destination: Destination } {
  const { title, config: Config, options: own } = declaration;
  const Options = SyncOptions.extend(own?.shape ?? {});
  const sync: Sync & { readonly destination: Destination } = {
    ...declaration,
    // An integration has a prefix and a suffix instead of the key schema.
    schemas: { config: Config, options: Options.omit({ prefix: true, suffix: true } as never) as never },
    configure(givenConfig, givenOptions, names) {
      const config = readFields(Config, givenConfig, { title, code: 'secret_sync.config', names });
      const options = readFields(Options, givenOptions, { title, code: 'secret_sync.options', names });
      return {
        sync,
        config,
        options,
        layout: declaration.layout(config),
        fingerprint: declaration.fingerprint?.(config),
        writesMetadata: declaration.writesMetadata?.(config, options as never) ?? false,
        open: async (client) => declaration.open(client as Client, config, options as never),
      };
    },
  };
  return sync;
}

/** Whether all items at the target are known. */
export const canListAll = ({ layout }: ConfiguredSync): boolean => layout.as === 'document' || layout.listsAll === true;

/** Whether existing items can be imported. */
export const canImport = (configured: ConfiguredSync): boolean => !configured.sync.writeOnly && canListAll(configured);
