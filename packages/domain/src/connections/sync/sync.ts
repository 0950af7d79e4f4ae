import { z } from 'zod';
import type { Connector } from '../connection/index.ts';
import { readFields } from '../fields.ts';

/** What every sync is told beside its destination's own options. */
export const SyncOptions = z.object({
  initialSyncBehavior: z
    .enum(['overwrite-destination', 'import-prioritize-source', 'import-prioritize-destination'])
    .default('overwrite-destination')
    .describe('What the first sync does with what is at the destination before it'),
  prefix: z.string().max(255).default('').describe('Put before each name at the destination'),
  suffix: z.string().max(255).default('').describe('Put after each name at the destination'),
  disableSecretDeletion: z.boolean().default(false).describe('Nothing is removed at the destination'),
});
export type SyncOptions = z.output<typeof SyncOptions>;

/**
 * A place where each secret lies by itself. What the other side refuses is thrown (`rejected`, `throttled` of `family`);
 * the engine goes on with the others.
 */
export interface SecretStore {
  /**
   * What is there, with values where they can be read. At least what is there under these names; more is passed over,
   * or imported where the layout says `listsAll`.
   */
  list(names: readonly string[]): Promise<ReadonlyMap<string, string | undefined>>;
  /** Writes one. Bears being done twice. */
  put(name: string, value: string, exists: boolean): Promise<void>;
  /** Removes one. What is gone already is removed. */
  remove(name: string): Promise<void>;
}

/** A place where all secrets lie in one document, beside what others have written there. */
export interface DocumentStore {
  /** The whole of it; `{}` where there is none. */
  read(): Promise<Readonly<Record<string, unknown>>>;
  /** Puts another whole in the place of what was read. */
  write(all: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface Limits {
  /** Of names as they are at the destination. */
  readonly name: RegExp;
  /** For people: what `name` expects. */
  readonly expected: string;
  /** Of a value, in bytes. */
  readonly bytes: readonly [least: number, most: number];
  readonly secrets: number;
  /** How many are written at the same time; one after the other where absent. */
  readonly concurrency?: number;
}

/** How secrets lie at a destination: what `open` answers, and what fits there. */
export interface Layout {
  readonly as: 'secrets' | 'document';
  /** What those have in common that write to one place: nothing is dropped as long as it is the same. */
  readonly location: string;
  readonly limits: Limits;
  /** Whether `list` of a `SecretStore` answers all that is there, so that it can be imported. */
  readonly listsAll?: true;
}

/** The published names of `/api/v1/integration` for how secrets lie there. */
export type MappingBehavior = 'one-to-one' | 'many-to-one';

/** The fields of an integration that say where it writes. */
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

/** How `/api/v1/integration` names a destination, and what it is configured by. */
export interface IntegrationNames {
  /** The published name of the integration. */
  readonly name: string;
  /** The field of an integration for each field of the configuration. */
  readonly fields: Readonly<Record<string, TargetField>>;
  /** Where fields have other values there. */
  config?(named: Readonly<Record<string, string>>): Readonly<Record<string, unknown>>;
  /** How secrets may lie there; the first one where an integration says nothing. */
  readonly mappings: readonly [MappingBehavior, ...MappingBehavior[]];
  /** Whether it removes only with `shouldEnableDelete`; the others do unless `shouldDisableDelete`. */
  readonly keepsByDefault?: true;
}

interface Facts {
  /** The published name. */
  readonly destination: string;
  /** For people. */
  readonly title: string;
  /** Whether values cannot be read back: then what has changed is known by what was put. */
  readonly writeOnly?: true;
  /** The name under which it keeps a secret, where that is another one. */
  nameOf?(name: string): string;
  readonly integration: IntegrationNames;
}

/**
 * What a destination says of itself. Everything else (credentials, what has changed, prefixes, what may be removed,
 * retries, status) is the same for all and done once.
 */
interface Declaration<Client, Config extends z.ZodType, Options extends z.ZodRawShape> extends Facts {
  readonly connector: Connector<Client>;
  /** The fields that say where it writes, and how they have to look. */
  readonly config: Config;
  /** What it is told beside `SyncOptions`. */
  readonly options?: z.ZodObject<Options>;
  layout(config: z.output<Config>): Layout;
  /** For those that are `writeOnly`: what is put along with each value, in one text. Where that becomes another, all are put again. */
  fingerprint?(config: z.output<Config>): string;
  /** Opens what the layout says: a `SecretStore`, or a `DocumentStore`. */
  open(
    client: Client,
    config: z.output<Config>,
    options: SyncOptions & z.output<z.ZodObject<Options>>,
  ): SecretStore | DocumentStore | Promise<SecretStore | DocumentStore>;
}

/** A destination of secrets. */
export interface Sync extends Facts {
  readonly connector: Connector;
  /**
   * Reads where it is to write and what it is told, as they are stored or as somebody gives them.
   *
   * @param names what callers call the fields, where that is another name.
   * @throws DomainError 400 with each field that is missing or wrong.
   */
  configure(config: unknown, options: unknown, names?: Readonly<Record<string, string>>): ConfiguredSync;
}

export interface ConfiguredSync {
  readonly sync: Sync;
  /** As they are stored. */
  readonly config: object;
  readonly options: SyncOptions;
  readonly layout: Layout;
  readonly fingerprint: string | undefined;
  open(client: unknown): Promise<SecretStore | DocumentStore>;
}

/** Declares a destination, typed by its schemas and by the client of its connector. */
export function defineSync<Client, Config extends z.ZodType<object>, Options extends z.ZodRawShape = {}>(
  declaration: Declaration<Client, Config, Options>,
): Sync {
  const { title, config: Config, options: own } = declaration;
  const Options = SyncOptions.extend(own?.shape ?? {});
  const sync: Sync = {
    ...declaration,
    configure(givenConfig, givenOptions, names) {
      const config = readFields(Config, givenConfig, { title, code: 'secret_sync.config', names });
      const options = readFields(Options, givenOptions, { title, code: 'secret_sync.options', names });
      return {
        sync,
        config,
        options,
        layout: declaration.layout(config),
        fingerprint: declaration.fingerprint?.(config),
        open: async (client) => declaration.open(client as Client, config, options as never),
      };
    },
  };
  return sync;
}

/** Whether the first sync can import what is there. */
export const canImport = ({ sync, layout }: ConfiguredSync): boolean =>
  !sync.writeOnly && (layout.as === 'document' || layout.listsAll === true);
