import { z } from 'zod';
import type { StoredPassword } from '../../access/index.ts';
import { answeredSealed, sealedFieldsOf, withoutDefault, type Sealed, type SealedField } from '../../family/index.ts';
import {
  defineEvent,
  defineUpdate,
  REFUSALS,
  Id,
  type Context,
  type EventType,
  type KeySets,
  type OutboundConnect,
  type OutboundFetch,
  type RequestInfo,
  inTypeName,
  schemaNamed,
} from '../../kernel/index.ts';
import type { IssuedToken } from '../access-token/index.ts';
import { Attached, Settings, type AttachedShape, type SettingsShape } from './settings.ts';
import type { TrustRoot } from './trust-root.ts';

type Shape = z.ZodRawShape;
type Output<S extends Shape> = z.output<z.ZodObject<S>>;

/** The arguments of a member besides its configuration and the caller's credentials. */
export interface LoginAttempt {
  readonly identityId: string;
  readonly fetch: OutboundFetch;
  readonly connect: OutboundConnect;
  readonly keySets: KeySets;
  readonly now: Date;
  readonly request: RequestInfo;
  /**
   * Names the user of the login, if that is known only during it: several names may be one user. With `lockout`,
   * guesses count against this subject from here on; throws a 429 while attempts are delayed.
   */
  readonly resolveSubject: (subject: string) => Promise<void>;
  /**
   * Marks a proof as single-use: the login is refused (401) if another one, in any process, has used the same proof.
   * `id` identifies the proof in canonical form; its hash is stored until `expiresAt`, when the proof expires anyway.
   */
  readonly useOnce: (proof: { id: string; expiresAt: Date }) => void;
  /** The other system has accepted the stored password. */
  readonly accepted: () => Promise<void>;
}

/** A stored password, and where it is used. */
export type StoredAccount = Pick<StoredPassword, 'target' | 'account' | 'password'>;

/**
 * After `threshold` failures, each at most `resetSeconds` after the previous one, attempts are delayed for
 * `durationSeconds`.
 */
export interface GuessPolicy {
  readonly threshold: number;
  readonly durationSeconds: number;
  readonly resetSeconds: number;
}
export interface Lockout {
  readonly subject: string;
  /** For guesses at this subject; without one, they delay no others at it. */
  readonly policy: GuessPolicy | undefined;
}

/** Facts that a login has verified: stored with the token, for rules and the audit log. No secrets. */
export type Claims = Record<string, unknown>;

/** The published statuses for an identity without the method; default 400. */
export type NotAttached = Partial<Record<'read' | 'update' | 'detach', 'not_found' | 'bad_request'>>;

/**
 * The declaration of a login method. Everything else (storage, sealing, checks and their order, events, paths) is
 * common code in `auth-method.service.ts` and the family's router.
 */
export interface AuthMethodDeclaration<
  Kind extends string,
  Key extends string,
  Config extends Shape,
  Written extends Shape,
  Made extends string,
  Credentials extends Shape,
> {
  /** The published name: path segment, and the origin of its tokens, such as `kubernetes-auth`. */
  readonly kind: Kind;
  /** For people: `Kubernetes Auth`. */
  readonly title: string;
  /** The key of responses, such as `identityKubernetesAuth`. */
  readonly answerKey: Key;
  /** Its fields as they are stored and returned, with the defaults of attaching; `sealed()` for secrets. */
  readonly config: z.ZodObject<Config>;
  /** Who else has credentials that `verify` accepts; `shared` ones need a binding (see `trust-root.ts`). */
  readonly trustRoot: TrustRoot<Output<Config>>;
  /** Fields that attaching generates and callers cannot set. */
  readonly made?: { readonly [Field in Made]: () => unknown };
  /**
   * Fields whose input has another form than the stored one, under the same names. `read` gets those that the caller
   * sent (on attaching: all, with defaults), after the check of the caller's permission; it may throw a 400.
   */
  readonly written?: {
    readonly fields: z.ZodObject<Written>;
    read(named: Partial<Output<Written>>): Partial<Output<Config>>;
  };
  /** Published fields that are not supported: the error message for callers who send them. */
  readonly notOffered?: Readonly<Record<string, string>>;
  /** Validates the complete configuration after a change; throws a 400 for inconsistent fields. */
  check?(config: Output<Config>): void;
  /** The stored password that a login uses at another system, which calls `accepted`; absent if none is stored. */
  storedPassword?(config: Output<Config>): StoredAccount;
  /** Whether each login asks another system. Such logins take turns, and no others may use `fetch` and `connect`. */
  readonly isVerifiedElsewhere?: boolean;
  /** The published API requires `accessTokenMaxTTL` of at least 1 when this method is attached. */
  readonly requiresMaxTTL?: boolean;
  readonly notAttached?: NotAttached;
  /** The body of the login; absent if there is no login. */
  readonly credentials?: z.ZodObject<Credentials>;
  /**
   * For methods whose callers send `identityId` beside the credentials: verifies that the credentials belong to this
   * identity, or throws: 401, and 403 for valid but not permitted ones. It may take seconds and call remotes, only
   * through `attempt.fetch`, `.connect` and `.keySets`; no transaction is open.
   */
  verify?(config: Output<Config>, credentials: Output<Credentials>, attempt: LoginAttempt): Promise<Claims>;
  /**
   * For credentials that people choose: guesses that `verify` refuses with a 401 count against this subject of the
   * identity, in a canonical form, for each address and for all unknown addresses together. Those of an unknown address at all
   * subjects and identities count in any case.
   */
  lockout?(config: Output<Config>, credentials: Output<Credentials>): Lockout;
  /**
   * Instead of `verify`, for methods whose credentials identify the identity: the complete login. `method` is this one.
   */
  logIn?(ctx: Context, credentials: Output<Credentials>, method: DefinedMethod): Promise<IssuedToken>;
}

const MethodEvent = z.object({ identityId: z.string(), authMethodId: z.string() });
type MethodEvent = z.output<typeof MethodEvent>;
const ConfiguredEvent = MethodEvent.extend({
  settings: z.record(z.string(), z.unknown()).describe('The settings from then on, without sealed fields'),
});
type ConfiguredEvent = z.output<typeof ConfiguredEvent>;
const LoginEvent = MethodEvent.extend({ tokenId: z.string().optional(), clientSecretId: z.string().optional() });
type LoginEvent = z.output<typeof LoginEvent>;
const FailedLoginEvent = MethodEvent.extend({ reason: z.string().optional(), ...REFUSALS });
type FailedLoginEvent = z.output<typeof FailedLoginEvent>;

export interface AuthMethodEvents {
  readonly attached: EventType<ConfiguredEvent>;
  readonly read: EventType<MethodEvent>;
  readonly updated: EventType<ConfiguredEvent & { changed: string[] }>;
  readonly detached: EventType<MethodEvent>;
  readonly loggedIn: EventType<LoginEvent>;
  readonly loginFailed: EventType<FailedLoginEvent>;
}

/** The properties of the login method that a login gets. */
export interface DefinedMethod {
  readonly kind: string;
  readonly events: AuthMethodEvents;
}

/** A login method as the engine sees it, whichever it is. */
export interface AnyAuthMethod extends DefinedMethod {
  readonly title: string;
  readonly answerKey: string;
  readonly config: z.ZodObject;
  readonly trustRoot: TrustRoot<never>;
  readonly made?: Readonly<Record<string, () => unknown>>;
  readonly written?: { readonly fields: z.ZodObject; read(named: object): object };
  readonly notOffered?: Readonly<Record<string, string>>;
  check?(config: never): void;
  storedPassword?(config: never): StoredAccount;
  readonly isVerifiedElsewhere?: boolean;
  readonly requiresMaxTTL?: boolean;
  readonly notAttached?: NotAttached;
  readonly credentials?: z.ZodObject;
  verify?(config: never, credentials: never, attempt: LoginAttempt): Promise<Claims>;
  lockout?(config: never, credentials: never): Lockout;
  logIn?(ctx: Context, credentials: never, method: DefinedMethod): Promise<IssuedToken>;
  readonly sealedFields: ReadonlyMap<string, SealedField>;
  /** The input of attaching, with its defaults. */
  readonly Attach: z.ZodObject;
  /** The input of an update: absent fields stay unchanged. */
  readonly Update: z.ZodObject;
  /** The input of a login; absent if there is none. */
  readonly Login: z.ZodObject | undefined;
  /** Sealed fields are empty for callers who may not update the method; a field beside each tells whether it is set. */
  readonly Answer: z.ZodObject;
  /** The response of detaching: without sealed values. */
  readonly DetachedAnswer: z.ZodObject;
}

type Named = { identityId: typeof Id };
type Inputs<Config extends Shape, Written extends Shape, Made extends string> = Named &
  SettingsShape &
  Omit<Config, keyof Written | Made> &
  Written;
/** Required with `verify`, because the credentials do not identify the identity. */
type WhoLogsIn = { identityId: z.ZodOptional<typeof Id> };
/** Beside each sealed field, whether it is set: `hasBindPass` of `bindPass`. */
type Presence<S extends Shape> = {
  [Field in keyof S & string as S[Field] extends Sealed ? `has${Capitalize<Field>}` : never]: z.ZodBoolean;
};
type Optional<S extends Shape> = { [Field in keyof S]: z.ZodOptional<S[Field]> };

export interface AuthMethod<
  Kind extends string,
  Key extends string,
  Config extends Shape,
  Written extends Shape,
  Made extends string,
  Credentials extends Shape,
> extends AuthMethodDeclaration<Kind, Key, Config, Written, Made, Credentials> {
  readonly events: AuthMethodEvents;
  readonly sealedFields: ReadonlyMap<string, SealedField>;
  readonly Attach: z.ZodObject<Inputs<Config, Written, Made>>;
  readonly Update: z.ZodObject<Named & Optional<Omit<Inputs<Config, Written, Made>, 'identityId'>>>;
  readonly Login: z.ZodObject<Credentials & WhoLogsIn> | undefined;
  readonly Answer: z.ZodObject<AttachedShape & Config & Presence<Config>>;
  readonly DetachedAnswer: z.ZodObject<AttachedShape & Config>;
}

/** Creates a member of the family from its declaration. See `AuthMethodDeclaration` for the obligations. */
export function defineAuthMethod<
  const Kind extends string,
  const Key extends string,
  Config extends Shape,
  Credentials extends Shape,
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- a shape without fields is meant
  Written extends Shape = Record<never, never>,
  const Made extends string = never,
>(
  method: AuthMethodDeclaration<Kind, Key, Config, Written, Made, Credentials>,
): AuthMethod<Kind, Key, Config, Written, Made, Credentials> {
  const config: Shape = method.config.shape;
  const made = new Set<string>(Object.keys(method.made ?? {}));
  const own = Object.fromEntries(Object.entries(config).filter(([name]) => !made.has(name)));
  const fields: Shape = { ...Settings, ...own, ...method.written?.fields.shape, ...neverGiven(method.notOffered) };
  const sealedFields = sealedFieldsOf(config);
  const open = Object.fromEntries(
    Object.entries({ ...Attached, ...config }).filter(([name]) => !sealedFields.has(name)),
  );
  const shown: Shape = { ...Attached, ...config, ...answeredSealed(config, sealedFields) };
  const typeName = inTypeName(method.kind);
  const byIdentity = method.verify ? { identityId: Id } : {};
  return {
    ...method,
    events: eventsOf(method),
    sealedFields,
    Attach: z.object({
      ...fields,
      ...(method.requiresMaxTTL && { accessTokenMaxTTL: atLeastOne }),
      identityId: Id,
    }) as never,
    Update: z.object({ ...withoutDefaults(fields), identityId: Id }) as never,
    Login: method.credentials && (z.object({ ...method.credentials.shape, ...byIdentity }) as never),
    Answer: schemaNamed(typeName, z.object(shown)) as never,
    DetachedAnswer: schemaNamed(`Detached${typeName}`, z.object(open)) as never,
  };
}

const atLeastOne = Settings.accessTokenMaxTTL.refine((seconds) => seconds > 0, 'At least 1');

const neverGiven = (fields: Readonly<Record<string, string>> = {}): Shape =>
  Object.fromEntries(
    Object.entries(fields).map(([name, message]) => [name, z.never(message).optional().describe('Not offered')]),
  );

/** An update has no defaults: absent fields stay unchanged. */
const withoutDefaults = (shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const optional = withoutDefault(schema as z.ZodType).optional();
      const { description } = schema as z.ZodType;
      return [name, description ? optional.describe(description) : optional];
    }),
  );

function eventsOf({ kind }: { kind: string }): AuthMethodEvents {
  const thing = kind.replaceAll('-', '_');
  return {
    attached: defineEvent(`${thing}.attached`, `add-identity-${kind}`, ConfiguredEvent),
    read: defineEvent(`${thing}.read`, `get-identity-${kind}`, MethodEvent),
    updated: defineUpdate(`${thing}.updated`, `update-identity-${kind}`, ConfiguredEvent),
    detached: defineEvent(`${thing}.detached`, `revoke-identity-${kind}`, MethodEvent),
    loggedIn: defineEvent(`${thing}.logged_in`, `login-identity-${kind}`, LoginEvent),
    loginFailed: defineEvent(`${thing}.login_failed`, `fail-login-identity-${kind}`, FailedLoginEvent),
  };
}
