import type { Actor, DomainError, Permission } from '@coffer/domain';
import type { OpenApiMeta, OpenApiMethod } from 'trpc-to-openapi';
import type { z } from 'zod';
import type { ApiCall } from './api-call.ts';

/**
 * The kinds of callers. A user with an API key is a separate kind, because API keys may not do everything that users
 * may.
 */
export type CallerKind = Exclude<Actor['type'], 'anonymous' | 'platform'> | 'apiKey';

export const callerKindOf = (actor: Actor): CallerKind | undefined => {
  if (actor.type === 'anonymous' || actor.type === 'platform') return undefined;
  return actor.type === 'user' && actor.sessionId === undefined ? 'apiKey' : actor.type;
};

/** The callers of an operation that does not name any. */
export const ANYONE: readonly CallerKind[] = ['user', 'apiKey', 'identity'];
/** Users, also with an API key. `['user']` alone is for what needs a session. */
export const USERS: readonly CallerKind[] = ['user', 'apiKey'];

/**
 * What a call needs: a permission, which its service function must have checked when it ends, or one of several,
 * depending on the resource; `'member'`, only a token (the operation concerns only the caller's own data, or checks
 * permissions itself); `'public'`, nothing.
 */
export type Needs = Permission | readonly Permission[] | 'member' | 'public';

/** The permissions of which a call needs one; none if a token or nothing is sufficient. */
export const permissionsOf = (needs: Needs | undefined): readonly Permission[] =>
  typeof needs !== 'object' ? [] : 'key' in needs ? [needs] : needs;

/**
 * A fingerprint of everything that a response depends on besides the request: while it is equal, so is the response.
 * Evaluated before the work, with its permission checks; `undefined` if there is none.
 */
export type StateOf = (ctx: ApiCall, input: never) => Promise<string | undefined>;

export interface RestOptions {
  description?: string;
  /** Further paths of the same operation with the same shapes: newer or older names. */
  aliases?: readonly `/${string}`[];
  /** The kinds of callers that may use it; default `ANYONE`. */
  actors?: readonly CallerKind[];
  /** Also accepts a form as body (`application/x-www-form-urlencoded`). */
  form?: boolean;
  /** The answer carries an `ETag` made from this and the question, and `If-None-Match` gets a 304 without the work. */
  etag?: StateOf;
  /** It responds with a stream of these events; its procedure is a subscription. */
  events?: z.ZodType;
  /** It responds with a `RawAnswer` of one of these media types instead of JSON. */
  answers?: readonly string[];
  /** Also accepts a body of this media type, as base64 in the named field of its input (see `octets`). */
  takes?: { readonly type: string; readonly field: string };
  /** The last parameter of the path has all that is left of it, slashes included. */
  takesRest?: boolean;
  deprecated?: boolean;
  tags?: readonly string[];
  /**
   * Sends e-mail or hashes passwords: every call counts against a low limit for its address, and for the caller as well
   * where it needs a token. Not for what takes a credential that is used once: there refusals count (`limitsRefusals`).
   */
  strictlyLimited?: boolean;
  /**
   * A login, or the exchange of a code: refused ones are limited for each address and subject (`limitingRefusals`),
   * others are not.
   */
  limitsRefusals?: boolean;
  /**
   * An operation with a credential in its input or a cookie: a rejected one is a 401 or 403, and a 401 counts as a
   * rejected token. A login (`limitsRefusals`) has one anyway.
   */
  takesCredential?: boolean;
  /**
   * Called where the token of the caller is missing or refused, with that refusal. It throws it unless the call has another
   * credential, which the operation then checks itself.
   */
  otherwise?: (ctx: ApiCall, refusal: DomainError) => void;
  /** Its input may name versions that the caller has read: a 409 if there are others now. */
  comparesVersions?: boolean;
  /** With `dryRun` it is not executed, and returns the changes of rights (see `plan.ts`). */
  plannable?: boolean;
}

export type Meta = OpenApiMeta<{
  needs?: Needs;
  rest?: RestOptions;
}>;

/** The REST path of a procedure, what it needs, and its summary. */
export function rest(
  method: OpenApiMethod,
  path: `/${string}`,
  needs: Needs,
  summary: string,
  options: RestOptions = {},
): Meta {
  const { description, deprecated, tags } = options;
  return {
    openapi: {
      method,
      path,
      summary,
      protect: needs !== 'public',
      ...(description && { description }),
      ...(deprecated && { deprecated }),
      ...(tags && { tags: [...tags] }),
    },
    needs,
    rest: options,
  };
}

/** The same for what service tokens may use as well: they name a place in their own project. */
export const restForServices: typeof rest = (method, path, needs, summary, options) =>
  rest(method, path, needs, summary, { actors: [...ANYONE, 'service'], ...options });
