import { z } from 'zod';
import { sealedFieldsOf, type SealedField } from '../../family/index.ts';
import type { OutboundConnect, OutboundFetch, PooledClient } from '../../kernel/index.ts';
import type { PasswordRequirements } from './password-requirements.ts';
import type { UsernameRules } from './username.ts';

/** One shape of inputs, or several that differ by one field. */
export type InputsSchema = z.ZodObject | z.ZodDiscriminatedUnion<readonly z.ZodObject[]>;

/** What a provider reaches its target with. Nothing else leads out. */
export interface ProviderIo {
  /** As `ctx.fetch`, within the time that the call has left. */
  readonly fetch: OutboundFetch;
  /** As `ctx.connect`, within the time that the call has left; the connection ends with the call. */
  readonly connect: OutboundConnect;
  readonly now: Date;
  /** Aborted when the call's time is over. */
  readonly signal: AbortSignal;
  /**
   * Uses a connection that an earlier call with the same inputs left open, or opens one. `connect` of the one that opens
   * it is `lasting.connect`: such a connection outlives the call.
   */
  usePooled<Client, T>(
    open: (lasting: { readonly connect: OutboundConnect }) => Promise<PooledClient<Client>>,
    use: (client: Client) => Promise<T>,
  ): Promise<T>;
  /** A new random password. It is taken out of whatever the target says. */
  password(requirements?: PasswordRequirements | null): string;
  /** Takes a text that was learned on the way (a key, a token) out of whatever the target says, and answers it. */
  secret(text: string): string;
}

/** What a lease is going to be. */
export interface LeaseIntention {
  readonly leaseId: string;
  /** Made by the dynamic secret's template and the provider's rules for names; another one for each lease. */
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

/** What the caller says of one lease (`config`), as `leaseConfig` reads it. Not secret. */
export type LeaseConfig = Readonly<Record<string, unknown>>;

type InputsOf<Inputs extends InputsSchema> = z.output<Inputs>;

/**
 * What a provider says of itself. Everything else (storage, sealing, permissions, events, limits, when it is called and
 * what becomes of failures, paths) is the same for all and done once.
 *
 * `check`, `issue`, `renew` and `revoke` run outside of transactions and for a limited time; a few at a time for each
 * target. What the target says against a call is thrown as `rejectedBy(…)`: a 400 with its words, out of which the engine
 * takes every sealed field and everything that came from `io.password` and `io.secret`. Errors of `io.fetch` and
 * `io.connect` are left as they are.
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
  /** The published fields, with `sealed()` round the secret ones. They are sealed all; those are never shown. */
  readonly inputs: Inputs;
  /** What a caller gets for a lease: the published `data`. */
  readonly data: z.ZodObject<Data>;
  /** What callers may say of a single lease. */
  readonly leaseConfig?: z.ZodObject<Config>;
  /** Names that the target takes; without it leases have no name made for them, and the secret no template. */
  username?(inputs: InputsOf<Inputs>): UsernameRules;
  /**
   * Where the calls go, such as `postgres://db.example.com:5432/shop`, without any credential: calls to one target share
   * its turns. While leases stand, no change of the inputs may change it. `undefined` where nothing is called.
   */
  target(inputs: InputsOf<Inputs>): string | undefined;
  /** How many leases there may be at a time: 1 where they all stand for one account. As many as wanted where absent. */
  maxLeases?(inputs: InputsOf<Inputs>): number;
  /** Looks at the inputs as they would be saved; throws a 400 for what does not go together. Asks nobody. */
  validate?(inputs: InputsOf<Inputs>): void;
  /** Tries the credential, without changing anything; throws where the inputs cannot work. */
  check(inputs: InputsOf<Inputs>, io: ProviderIo): Promise<void>;
  /**
   * The id (at most 512 characters, not secret) of what will be there, from nothing but its arguments: it is committed
   * before anything is there, and is all that `revoke` has to find it by. No two leases share one.
   */
  prepare(inputs: InputsOf<Inputs>, intention: LeaseIntention): string;
  /** Makes it, and answers the caller's data. */
  issue(inputs: InputsOf<Inputs>, lease: LeaseOf, io: ProviderIo): Promise<z.output<z.ZodObject<Data>>>;
  /** Lets it live until `lease.expireAt`, which is later than it was. Absent where nothing out there knows of the time. */
  renew?(inputs: InputsOf<Inputs>, lease: LeaseOf, io: ProviderIo): Promise<void>;
  /**
   * Takes it away. It may be there, half there, or not at all (it was never made, or is gone already): what is not there
   * is revoked. It may run more than once. Resolves only when nothing is left that anybody could log in with.
   */
  revoke(inputs: InputsOf<Inputs>, lease: LeaseOf, io: ProviderIo): Promise<void>;
}

/** A provider as the engine sees it, whichever it is. */
export interface AnyProvider {
  readonly type: string;
  readonly title: string;
  readonly inputs: InputsSchema;
  readonly data: z.ZodObject;
  readonly leaseConfig?: z.ZodObject;
  username?(inputs: never): UsernameRules;
  target(inputs: never): string | undefined;
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

/** Makes a member of the family from what it says of itself. See `ProviderDeclaration` for what it owes. */
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
