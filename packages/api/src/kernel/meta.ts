import type { Actor, Permission } from '@coffer/domain';
import type { OpenApiMeta, OpenApiMethod } from 'trpc-to-openapi';
import type { z } from 'zod';
import type { ApiCall } from './api-call.ts';

/** The kinds of callers. A user with an API key is a kind of its own, since not all that users may do is for API keys. */
export type CallerKind = Exclude<Actor['type'], 'anonymous' | 'platform'> | 'apiKey';

export const callerKindOf = (actor: Actor): CallerKind | undefined => {
  if (actor.type === 'anonymous' || actor.type === 'platform') return undefined;
  return actor.type === 'user' && actor.sessionId === undefined ? 'apiKey' : actor.type;
};

/** Who may use an operation that does not name the kinds of its callers. */
export const ANYONE: readonly CallerKind[] = ['user', 'apiKey', 'identity'];
/** Users, also with an API key. `['user']` alone is for what needs a session. */
export const USERS: readonly CallerKind[] = ['user', 'apiKey'];

/**
 * What a call needs: a permission, which its service function must have asked for by the time it ends, or one of
 * several, where it depends on the thing which; `'member'`, a token alone (the operation shows or changes only what is
 * the caller's own, or asks by itself); `'public'`, nothing.
 */
export type Needs = Permission | readonly Permission[] | 'member' | 'public';

/** The permissions of which a call needs one; none where a token alone will do, or nothing. */
export const permissionsOf = (needs: Needs | undefined): readonly Permission[] =>
  typeof needs !== 'object' ? [] : 'key' in needs ? [needs] : needs;

/**
 * What an answer depends on besides its question, as a text: as long as that is the same, so is the answer. It is asked
 * before the work, and refuses whom the work would refuse; `undefined` where nothing can be said.
 */
export type StateOf = (ctx: ApiCall, input: never) => Promise<string | undefined>;

export interface RestOptions {
  description?: string;
  /** Further paths of the same operation with the same shapes: newer or older names. */
  aliases?: readonly `/${string}`[];
  /** The kinds of callers that may use it; `ANYONE` where absent. */
  actors?: readonly CallerKind[];
  /** Also takes its body as a form (`application/x-www-form-urlencoded`). */
  form?: boolean;
  /** The answer carries an `ETag` made from this and the question, and `If-None-Match` gets a 304 without the work. */
  etag?: StateOf;
  /** It answers a stream of these; its procedure is a subscription. */
  events?: z.ZodType;
  /** It answers no JSON but a `RawAnswer`, of one of these media types. */
  answers?: readonly string[];
  /** Also takes a body of this media type, in base64 as the field of its input that is named here (see `octets`). */
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
  /** A login, or what takes a code: refused ones are limited for each address and subject (`limitingRefusals`), others are not. */
  limitsRefusals?: boolean;
  /** A public operation whose input holds a credential: one that is refused is a 401 or 403. A login (`limitsRefusals`) takes one anyway. */
  takesCredential?: boolean;
  /** With `dryRun` it is not carried out, and answers what it would change of anybody's rights (see `plan.ts`). */
  plannable?: boolean;
}

export type Meta = OpenApiMeta<{
  needs?: Needs;
  rest?: RestOptions;
}>;

/** Where a procedure is found over REST, what it needs, and what it does in a few words. */
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
