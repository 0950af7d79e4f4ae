import { z } from 'zod';
import { sealedFieldsOf, type LoginIo, type SealedField } from '../../family/index.ts';
import type { AppSettings, OutboundConnect, OutboundFetch, PooledClient } from '../../kernel/index.ts';
import type { PasswordRequirements } from './password-requirements.ts';
import type { UsernameRules } from './username.ts';

/** One schema of inputs, or several that differ by one field. */
export type InputsSchema = z.ZodObject | z.ZodDiscriminatedUnion<readonly z.ZodObject[]>;

/** The only means by which a provider calls its target. */
export interface ProviderIo {
  /** As `ctx.fetch`, within the time that the call has left. */
  readonly fetch: OutboundFetch;
  /** As `ctx.connect`, within the time that the call has left; the connection ends with the call. */
  readonly connect: OutboundConnect;
  readonly now: Date;
  /** Whose dynamic secret it is. */
  readonly organizationId: string;
  /** Of the operator. */
  readonly settings: AppSettings;
  /** Aborted at the deadline of the call. */
  readonly signal: AbortSignal;
  /**
   * Takes a pooled connection for the same inputs, or opens one with `connect`, which gets `lasting.connect`: such a
   * connection outlives the call.
   */
  usePooled<Client, T>(
    open: (lasting: LoginIo) => Promise<PooledClient<Client>>,
    use: (client: Client) => Promise<T>,
  ): Promise<T>;
  /** A new random password, redacted from the target's messages. */
  password(requirements?: PasswordRequirements | null): string;
  /** Redacts a text that was obtained during the call (a key, a token) from the target's messages, and returns it. */
  secret(text: string): string;
}

/** A planned lease. */
export interface LeaseIntention {
  readonly leaseId: string;
  /** From the dynamic secret's template and the provider's rules for names; different for each lease. */
  readonly username: string;
  readonly now: Date;
  readonly expireAt: Date;
  readonly config: LeaseConfig;
}

/** A lease as it was committed. */
export interface LeaseOf {
  readonly leaseId: string;
  /** What `prepare` answered. */
  readonly entityId: string;
  readonly expireAt: Date;
  readonly config: LeaseConfig;
}

/** The caller's options for one lease (`config`), parsed by `leaseConfig`. Not secret. */
export type LeaseConfig = Readonly<Record<string, unknown>>;

/** Credentials of a connection to an app without what is secret, by which one logs in as something. */
export interface LoginAtApp {
  readonly app: string;
  readonly credentials: { readonly method: string } & Readonly<Record<string, unknown>>;
}

type InputsOf<Inputs extends InputsSchema> = z.output<Inputs>;

/**
 * The declaration of a provider. Everything else (storage, sealing, permissions, events, limits, scheduling, handling
 * of failures, paths) is in the engine.
 *
 * `check`, `issue`, `renew` and `revoke` run outside of transactions and with a deadline; a few at a time for each
 * target. Errors of the target are thrown as `rejectedBy(…)`: a 400 with its message, from which the engine redacts
 * every sealed field and everything from `io.password` and `io.secret`. Errors of `io.fetch` and `io.connect` are
 * passed on.
 */
export interface ProviderDeclaration<
  Type extends string,
  Inputs extends InputsSchema,
  Data extends z.ZodRawShape,
  Config extends z.ZodRawShape,
> {
  /** The published name, such as `sql-database`. */
  readonly type: Type;
  /** For people: `SQL database`. */
  readonly title: string;
  /** The published fields, with `sealed()` for secrets. All are stored sealed; secrets are never returned. */
  readonly inputs: Inputs;
  /** The published `data` of a lease. */
  readonly data: z.ZodObject<Data>;
  /** The variable with the credential of the operator that it uses, where no input is a credential, and it is not set. */
  missingSetting?(settings: AppSettings): string | undefined;
  /** The options of a single lease. */
  readonly leaseConfig?: z.ZodObject<Config>;
  /** The rules for names at the target; without it, leases have no generated name, and the secret no template. */
  username?(inputs: InputsOf<Inputs>): UsernameRules;
  /**
   * The target of the calls, such as `postgres://db.example.com:5432/shop`, without credentials: calls to one target
   * share a queue. Has all that decides which logins `revoke` reaches: while leases exist, inputs cannot change it.
   * `undefined` if nothing is called.
   */
  target(inputs: InputsOf<Inputs>): string | undefined;
  /**
   * The existing logins that it uses at systems of app connections: rotations change none of them. Absent where no rotation
   * could. They are found in inputs that are no longer valid, too.
   */
  readonly logins?: { readonly apps: readonly string[]; of(inputs: InputsOf<Inputs>): readonly LoginAtApp[] };
  /** Maximum number of leases: 1 if they share one account. Default: unlimited. */
  maxLeases?(inputs: InputsOf<Inputs>): number;
  /** Validates the inputs before they are stored; throws a 400 for inconsistent ones. No outbound calls. */
  validate?(inputs: InputsOf<Inputs>): void;
  /** Tries the credential, without changing anything; throws where the inputs cannot work. */
  check(inputs: InputsOf<Inputs>, io: ProviderIo): Promise<void>;
  /**
   * The ID of the future login (at most 512 characters, not secret), computed only from the arguments: it is committed
   * before the login exists, and is all that `revoke` gets. Unique for each lease.
   */
  prepare(inputs: InputsOf<Inputs>, intention: LeaseIntention): string;
  /** Creates it, and returns the caller's data. */
  issue(inputs: InputsOf<Inputs>, lease: LeaseOf, io: ProviderIo): Promise<z.output<z.ZodObject<Data>>>;
  /** Extends it until `lease.expireAt`. Absent if the target does not know the expiry. */
  renew?(inputs: InputsOf<Inputs>, lease: LeaseOf, io: ProviderIo): Promise<void>;
  /**
   * Deletes it, in any state: complete, partial, never created, or deleted already. Idempotent. Resolves only if no
   * login is possible any more: throws where the account may only not see it.
   */
  revoke(inputs: InputsOf<Inputs>, lease: LeaseOf, io: ProviderIo): Promise<void>;
}

/** A provider as the engine sees it, whichever it is. */
export interface AnyProvider {
  readonly type: string;
  readonly title: string;
  readonly inputs: InputsSchema;
  readonly data: z.ZodObject;
  missingSetting?(settings: AppSettings): string | undefined;
  readonly leaseConfig?: z.ZodObject;
  username?(inputs: never): UsernameRules;
  target(inputs: never): string | undefined;
  readonly logins?: { readonly apps: readonly string[]; of(inputs: never): readonly LoginAtApp[] };
  maxLeases?(inputs: never): number;
  validate?(inputs: never): void;
  check(inputs: never, io: ProviderIo): Promise<void>;
  prepare(inputs: never, intention: LeaseIntention): string;
  issue(inputs: never, lease: LeaseOf, io: ProviderIo): Promise<Record<string, unknown>>;
  renew?(inputs: never, lease: LeaseOf, io: ProviderIo): Promise<void>;
  revoke(inputs: never, lease: LeaseOf, io: ProviderIo): Promise<void>;
  /** The sealed fields of all shapes of its inputs. */
  readonly sealedFields: ReadonlyMap<string, SealedField>;
}

export type Provider<
  Type extends string,
  Inputs extends InputsSchema,
  Data extends z.ZodRawShape,
  Config extends z.ZodRawShape,
> = ProviderDeclaration<Type, Inputs, Data, Config> & Pick<AnyProvider, 'sealedFields'>;

/** Creates a member of the family from its declaration. See `ProviderDeclaration` for the obligations. */
export const defineProvider = <
  const Type extends string,
  Inputs extends InputsSchema,
  Data extends z.ZodRawShape,
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- a shape without fields is meant
  Config extends z.ZodRawShape = Record<never, never>,
>(
  provider: ProviderDeclaration<Type, Inputs, Data, Config>,
): Provider<Type, Inputs, Data, Config> => ({
  ...provider,
  sealedFields: new Map(shapesOf(provider.inputs).flatMap((shape) => [...sealedFieldsOf(shape)])),
});

/** The shapes that inputs may have. */
export const shapesOf = (inputs: InputsSchema): readonly z.ZodRawShape[] =>
  inputs instanceof z.ZodObject ? [inputs.shape] : inputs.options.map((option) => option.shape);
