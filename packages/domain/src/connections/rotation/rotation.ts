import type { z } from 'zod';
import type { PasswordRequirements } from '../../secrets/dynamic/index.ts';
import type { Connector, Credentials } from '../connection/index.ts';

/** A generated credential: its values by their published names. */
export type Credential = Readonly<Record<string, string>>;

/** The other system with the means to change it. All calls have one deadline; errors are redacted by the engine. */
export interface RotationTarget<Client> {
  /** The client of the connection. */
  readonly client: Client;
  /** The credentials of the connection. */
  readonly credentials: Credentials;
  /** A client that logs in with other credentials at the same system. */
  readonly as: (changes: Readonly<Record<string, unknown>>) => Promise<Client>;
  /** Requires that nothing logs in as one of these, which only the system knew, in the form of `loginOf`. */
  readonly requireUnused: (logins: readonly string[]) => void;
  readonly now: Date;
}

export interface Generating<Client> extends Pick<RotationTarget<Client>, 'client' | 'requireUnused' | 'now'> {
  /** Which of the two credentials is replaced; 0 where there is one. */
  readonly slot: number;
  /** A new random password, redacted from all messages. */
  readonly password: (requirements?: PasswordRequirements | null) => string;
}

/** A credential that was planned, with what it was planned by. */
export interface Planned<Parameters, Plan, Generated> {
  readonly parameters: Parameters;
  readonly plan: Plan;
  /** Absent as long as it is not known that the other system has it. */
  readonly credential?: Generated | undefined;
}

export interface Applying<Parameters, Plan, Generated> extends Planned<Parameters, Plan, Generated> {
  /** What is in the secrets now, and has to work until `apply` ends; absent for the first one. */
  readonly current?: Generated | undefined;
  /** The credential before that, whose place the new one takes: it may stop to work. */
  readonly replaced?: Generated | undefined;
  /** What that was planned by. */
  readonly replacedPlan?: Plan | undefined;
  /** What the creation of the rotation was given once; only for the first credential. */
  readonly temporary?: Readonly<Record<string, unknown>> | undefined;
  /** Whether `current` is not to be relied upon: it was changed by others. */
  readonly isReconciling: boolean;
}

export interface Verifying<Parameters> {
  readonly parameters: Parameters;
  /** Whether it was applied just now, so that the system may need a while until it accepts it. */
  readonly isNew: boolean;
}

type Values<Names extends string> = { readonly [Name in Names]: string };

/**
 * The declaration of a rotation type. Everything else (storage, sealing, schedule, the two slots, secrets, permissions,
 * events, retries, paths) is in the engine.
 *
 * A rotation takes these steps, each of which may be interrupted and is repeated then: `generate` plans a credential, and the
 * plan is committed; `apply` gives it to the other system, and what it answers is committed; `verify` shows that it works;
 * only then the secrets change. Until then `current` works, wherever the other system has two credentials.
 */
export interface RotationDeclaration<
  Type extends string,
  Client,
  Parameters extends z.ZodObject,
  Names extends string,
  Plan,
> {
  /** The published name, such as `postgres-credentials`. */
  readonly type: Type;
  /** For people. */
  readonly title: string;
  readonly connector: Connector<Client>;
  /** The published fields. Nothing in them is secret. */
  readonly parameters: Parameters;
  /** What creation is given once, and never returned. */
  readonly temporary?: z.ZodObject;
  /** The values of a credential, each with the name that a secret for it usually has. */
  readonly mapping: Values<Names>;
  /** Those of them that are redacted from all messages. */
  readonly secret: readonly NoInfer<Names>[];
  /** Two: the previous credential works until the next rotation. One: it ends with the new one. */
  readonly slots: 1 | 2;
  /**
   * Names of what it changes at the system, each in one form for all spellings that the system takes for the same: no other
   * rotation may change the same there.
   */
  accounts(parameters: z.output<Parameters>): readonly string[];
  /**
   * The login of a connection, in the form of `logins`: no rotation changes one that is in use. `undefined` if these
   * credentials are no login.
   */
  loginOf(credentials: Credentials): string | undefined;
  /** The logins of which it makes or changes credentials; default: `accounts`. Others are given to `requireUnused`. */
  logins?(parameters: z.output<Parameters>): readonly string[];
  /** The apps at which one can log in so; default: that of `connector`. */
  readonly loginApps?: readonly string[];
  /** Whether logins have different names at all systems. */
  readonly hasUniqueLogins?: true;
  /**
   * Rejects (400) parameters that do not fit together, or to the credentials of the connection. No calls. Asked when either of
   * them is saved, and again before each use of the system.
   *
   * @param temporary What creation was given; absent later.
   */
  validate?(parameters: z.output<Parameters>, credentials: Credentials, temporary?: Record<string, unknown>): void;
  /**
   * Plans a credential. What it returns is sealed and committed before anything is changed, so it must be all that is needed
   * to find and remove whatever `apply` may leave behind: a password, a marker, what was there before.
   */
  generate(parameters: z.output<Parameters>, io: Generating<Client>): Plan | Promise<Plan>;
  /**
   * Makes the planned credential work, and returns it. It may be called again for a plan that was carried out in part, or
   * whose answer was lost: then exactly one credential of it may be left. Leaves `current` as it is, but for types with one slot.
   */
  apply(
    target: RotationTarget<Client>,
    applying: Applying<z.output<Parameters>, Plan, Values<Names>>,
  ): Promise<Values<Names>>;
  /** Shows that the other system accepts the credential, without changing anything. */
  verify(
    target: RotationTarget<Client>,
    credential: Values<Names>,
    verifying: Verifying<z.output<Parameters>>,
  ): Promise<void>;
  /** Ends a credential in any state: planned, in part, complete, or ended already. Idempotent. */
  revoke(target: RotationTarget<Client>, planned: Planned<z.output<Parameters>, Plan, Values<Names>>): Promise<void>;
  /** Whether `apply` can replace a credential that no longer works (`isReconciling`), by the rights of the connection. */
  readonly canReconcile?: true;
}

/** A rotation type as the engine sees it, whichever it is. */
export interface Rotation {
  readonly type: string;
  readonly title: string;
  readonly connector: Connector;
  readonly parameters: z.ZodObject;
  readonly temporary?: z.ZodObject;
  readonly mapping: Credential;
  readonly secret: readonly string[];
  readonly slots: 1 | 2;
  accounts(parameters: object): readonly string[];
  loginOf(credentials: Credentials): string | undefined;
  logins?(parameters: object): readonly string[];
  readonly loginApps?: readonly string[];
  readonly hasUniqueLogins?: true;
  validate?(parameters: object, credentials: Credentials, temporary?: Record<string, unknown>): void;
  generate(parameters: object, io: Generating<unknown>): unknown;
  apply(target: RotationTarget<unknown>, applying: Applying<object, unknown, Credential>): Promise<Credential>;
  verify(target: RotationTarget<unknown>, credential: Credential, verifying: Verifying<object>): Promise<void>;
  revoke(target: RotationTarget<unknown>, planned: Planned<object, unknown, Credential>): Promise<void>;
  readonly canReconcile?: true;
}

/** Declares a rotation type. See `RotationDeclaration` for the obligations. */
export const defineRotation = <
  const Type extends string,
  Client,
  Parameters extends z.ZodObject,
  Names extends string,
  Plan,
>(
  rotation: RotationDeclaration<Type, Client, Parameters, Names, Plan>,
): Rotation & { readonly type: Type } => rotation;

/** The logins that a rotation with some parameters changes, as far as these tell. */
export const loginsOf = (rotation: Rotation, parameters: object): readonly string[] =>
  rotation.logins?.(parameters) ?? rotation.accounts(parameters);
