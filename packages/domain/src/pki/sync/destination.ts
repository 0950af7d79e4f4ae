import { z } from 'zod';
import { readFields, type Connector } from '../../connections/connection/index.ts';
import type { KeyAlgorithm } from '../x509.ts';

/** The default of `certificateNameSchema`. */
export const DEFAULT_NAME = 'Coffer-{{certificateId}}';
const NAME_SCHEMA = /^(?:[\w/-]|\{\{environment\}\})*\{\{certificateId\}\}(?:[\w/-]|\{\{environment\}\})*$/;

/** Options of every PKI sync, in addition to those of its destination. */
export const PkiSyncOptions = z.object({
  canImportCertificates: z
    .literal(false, 'Nothing is imported from this destination')
    .default(false)
    .describe('Only false is supported'),
  canRemoveCertificates: z
    .boolean()
    .default(true)
    .describe(
      'Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync',
    ),
  certificateNameSchema: z
    .string()
    .max(255)
    .regex(
      NAME_SCHEMA,
      'Expected {{certificateId}} once, and otherwise only letters, digits, _, -, / and {{environment}}, as web-{{certificateId}}',
    )
    .meta({ examples: [DEFAULT_NAME] })
    .optional()
    .describe(`The names at the destination; default: \`${DEFAULT_NAME}\`. \`{{environment}}\` is \`global\``),
});
export type PkiSyncOptions = z.output<typeof PkiSyncOptions>;

/** An option of destinations that take a chain. */
export const includeRootCa = z.boolean().default(false).describe('Whether the chain has the root certificate, too');

/** A certificate with its key, as it is written. */
export interface Bundle {
  /** PEM, as are all of them. */
  readonly certificate: string;
  /** Nearest first; with the root only where `includeRootCa` says so. */
  readonly chain: string;
  /** The last certificate of the whole chain; empty if there is none. */
  readonly root: string;
  /** PKCS #8. */
  readonly privateKey: string;
  readonly keyAlgorithm: string;
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint: string;
  readonly notAfter: Date;
}

/** A place for one certificate at a destination. */
export interface Slot {
  readonly name: string;
  /** What the destination calls it; null before it is known. */
  readonly reference: string | null;
}

/** A slot that the engine asks for. */
export interface Sought extends Slot {
  /** Whether the answer to the last `put` may have been lost: what that created has to be found. */
  readonly isPending: boolean;
  /** What `mark` has returned before that. */
  readonly mark: unknown;
}

/** What is in a slot. */
export interface Found {
  readonly reference: string;
  /** SHA-256 of the certificate there, if it can be read. */
  readonly fingerprint?: string | undefined;
  /** Whether the destination says that this sync has written it. */
  readonly isOurs?: boolean;
}

/**
 * A destination of certificates. If the remote rejects one, throw (`rejected`, `throttled` of `family`); the engine
 * continues with the others.
 */
export interface CertificateStore {
  /** What is in these slots, by name. Slots that are empty are absent. */
  find(slots: readonly Sought[]): Promise<ReadonlyMap<string, Found>>;
  /**
   * What has to be known to find what `put` creates, if its answer is lost. It is committed before. Absent where the name
   * is enough.
   */
  mark?(slot: Slot, bundle: Bundle): Promise<object>;
  /** Puts a certificate into a slot, in the place of what is there. Returns its reference. Idempotent, or found by `find`. */
  put(slot: Slot, bundle: Bundle): Promise<string>;
  /** Empties a slot. Idempotent. */
  remove(slot: Slot & { readonly reference: string }): Promise<void>;
}

export interface PkiSyncLimits {
  /** Of names at the destination. */
  readonly name: RegExp;
  /** For people: what `name` expects. */
  readonly expected: string;
  readonly longestName: number;
  /** The keys that it takes. */
  readonly keys: readonly KeyAlgorithm[];
}

interface Facts {
  /** The published name. */
  readonly destination: string;
  /** For people. */
  readonly title: string;
  readonly limits: PkiSyncLimits;
}

/** Which sync opens a destination. */
export interface Owner {
  readonly syncId: string;
}

interface Declaration<Client, Config extends z.ZodType, Options extends z.ZodRawShape> extends Facts {
  readonly connector: Connector<Client>;
  /** The schema of the place. */
  readonly config: Config;
  /** Options in addition to `PkiSyncOptions`. */
  readonly options: z.ZodObject<Options>;
  /** Whether a renewed certificate takes the place of the one before. */
  replaces(options: z.output<z.ZodObject<Options>>): boolean;
  /** Whether a certificate is written again where only what is written with it differs; default: always. */
  updates?(options: z.output<z.ZodObject<Options>>): boolean;
  open(
    client: Client,
    config: z.output<Config>,
    options: z.output<z.ZodObject<Options>> & Owner,
  ): CertificateStore | Promise<CertificateStore>;
}

/** A destination of certificates, whichever it is. */
export interface PkiSync extends Facts {
  readonly connector: Connector;
  /** The published schemas of `destinationConfig` and `syncOptions`. */
  readonly schemas: { readonly config: z.ZodType<object>; readonly options: z.ZodObject };
  /**
   * Parses the place and the options, stored or given.
   *
   * @throws DomainError 400 with each field that is missing or invalid.
   */
  configure(config: unknown, options: unknown): ConfiguredPkiSync;
}

export interface ConfiguredPkiSync {
  readonly sync: PkiSync;
  /** The stored form. */
  readonly config: object;
  readonly options: PkiSyncOptions & { readonly includeRootCa?: boolean };
  readonly replaces: boolean;
  readonly updates: boolean;
  /** The options that decide what is written. */
  readonly written: object;
  open(client: unknown, owner: Owner): Promise<CertificateStore>;
}

/**
 * Declares a destination, typed by its schemas and by the client of its connector. Everything else (rights, comparison,
 * names, renewal, removal, retries, status) is in the engine.
 */
export function definePkiSync<
  Client,
  Config extends z.ZodType<object>,
  const Destination extends string,
  Options extends z.ZodRawShape = {},
>(
  declaration: Declaration<Client, Config, Options> & { readonly destination: Destination },
): PkiSync & { readonly destination: Destination } {
  const { title, config: Config, options: own } = declaration;
  const Options = PkiSyncOptions.extend(own.shape);
  const sync: PkiSync & { readonly destination: Destination } = {
    ...declaration,
    schemas: { config: Config, options: Options },
    configure(givenConfig, givenOptions) {
      const config = readFields(Config, givenConfig, { title, code: 'pki_sync.config' });
      const options = readFields(Options as unknown as z.ZodType<PkiSyncOptions>, givenOptions, {
        title,
        code: 'pki_sync.options',
      });
      const {
        canImportCertificates: _,
        canRemoveCertificates: _kept,
        certificateNameSchema: _name,
        ...written
      } = options;
      return {
        sync,
        config,
        options,
        written,
        replaces: declaration.replaces(options as never),
        updates: declaration.updates?.(options as never) ?? true,
        open: async (client, owner) => declaration.open(client as Client, config, { ...options, ...owner } as never),
      };
    },
  };
  return sync;
}

/** The name of a certificate at a destination. */
export const nameOf = ({ options: { certificateNameSchema } }: ConfiguredPkiSync, certificateId: string): string =>
  (certificateNameSchema ?? DEFAULT_NAME)
    .replaceAll('{{environment}}', 'global')
    .replace('{{certificateId}}', certificateId.replaceAll('-', ''));
