import {
  authenticate,
  authenticateAgain,
  callerKeyOf,
  DomainError,
  forbidden,
  noteRefusedRequest,
  RightsChanged,
  unauthenticated,
  type MaybePromise,
} from '@coffer/domain';
import { initTRPC, TRPCError } from '@trpc/server';
import type { z } from 'zod';
import type { ApiCall } from './api-call.ts';
import { refuseDryRun, refuseNestedDryRun } from './dry-run.ts';
import { errorShape } from './errors.ts';
import { ANYONE, callerKindOf, permissionsOf, type CallerKind, type Meta, type RestOptions } from './meta.ts';
import { isLong, safeParseInTurns } from './in-turns.ts';
import type { ProcedureLike } from './operations.ts';
import { countingRefusals } from './refused-login.ts';

type Otherwise = NonNullable<RestOptions['otherwise']>;

const t = initTRPC
  .context<ApiCall>()
  .meta<Meta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => errorShape(shape, error, ctx),
    sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 45_000 } },
  });

export const router = t.router;
export const mergeRouters = t.mergeRouters;

/**
 * Finds out who calls, before anything is read; without a promise if the caller is cached.
 *
 * @throws DomainError 401, 403, 429.
 */
export function admit(ctx: ApiCall, meta: Meta | undefined, path: string): Promise<void> | undefined {
  const needs = meta?.needs;
  if (needs === undefined) throw new Error(`Procedure ${path} does not say what it needs`);
  if (needs === 'public') return undefined;
  if (meta?.rest?.otherwise) return admitOr(meta.rest.otherwise, ctx, meta, path);
  const authenticated = findCaller(ctx);
  if (authenticated) return authenticated.then(() => requireKind(ctx, meta, path));
  requireKind(ctx, meta, path);
  return undefined;
}

/** The same for an operation that takes another credential where there is no caller. */
async function admitOr(otherwise: Otherwise, ctx: ApiCall, meta: Meta, path: string): Promise<void> {
  try {
    await findCaller(ctx);
  } catch (error) {
    if (!(error instanceof DomainError) || !['unauthenticated', 'forbidden'].includes(error.kind)) throw error;
    return otherwise(ctx, error);
  }
  requireKind(ctx, meta, path);
}

/** Unless it was found out by an earlier call of the request. */
const findCaller = (ctx: ApiCall): Promise<void> | undefined =>
  ctx.actor.type === 'anonymous' ? requireCaller(ctx) : undefined;

/** Whether the operation is for this kind of caller. @throws DomainError 403, 429. */
function requireKind(ctx: ApiCall, meta: Meta | undefined, path: string): void {
  const kind = callerKindOf(ctx.actor);
  if (!kind || !(meta?.rest?.actors ?? ANYONE).includes(kind)) {
    throw forbidden('auth.wrong_actor', `This operation does not take ${credentialOf(kind ?? ctx.actor.type)}`, {
      name: 'ForbiddenError',
    });
  }
  if (meta?.rest?.strictlyLimited && 'id' in ctx.actor) ctx.http.countStrictly(path, ctx.caller);
}

const noToken = () => unauthenticated('auth.no_token', 'Send a token: Authorization: Bearer <token>');

/** Finds out who calls, by the credential of the request; without a promise if it is cached. @throws DomainError 401, 403. */
export function requireCaller(ctx: ApiCall): Promise<void> | undefined {
  if (!ctx.http.credential) throw noToken();
  const actor = authenticate(ctx, ctx.http.credential);
  if (actor instanceof Promise) return actor.then((found) => ctx.speakFor(found));
  ctx.speakFor(actor);
  return undefined;
}

/**
 * Refuses a request before its body is read, if its credential is not valid; a use of that is not counted yet.
 * Answers the caller.
 *
 * @throws DomainError 401, 403.
 */
export async function requireCredential(ctx: ApiCall): Promise<string> {
  if (!ctx.http.credential) throw noToken();
  return callerKeyOf(await authenticateAgain(ctx, ctx.http.credential), ctx.request);
}

/**
 * A procedure that ends without a check of its declared permission responds with an error instead of its result: a
 * forgotten check fails on the first run. After a call of another system, the rights are checked again, and a promise is
 * returned. Deletions are exempt, because the object of the rights may be gone.
 */
export function requireGranted(ctx: ApiCall, meta: Meta | undefined, path: string): Promise<void> | undefined {
  const permissions = permissionsOf(meta?.needs);
  if (permissions.length > 0 && !permissions.some(({ key }) => ctx.granted.has(key)))
    throw new Error(
      `Procedure ${path} ended without having asked for ${permissions.map(({ key }) => key).join(' or ')}`,
    );
  return ctx.hasAskedOthers && meta?.openapi?.method !== 'DELETE' ? ctx.requireUnchangedRights() : undefined;
}

const guard = t.middleware(async ({ ctx, meta, path, next, getRawInput }) => {
  const call = ctx as ApiCall;
  try {
    await admit(call, meta, path);
    refuseDryRun(await getRawInput(), path);
  } catch (error) {
    await noteRefusedRequest(call, error, `tRPC ${path}`);
    throw error;
  }
  const result = await next();
  if (result.ok) await requireGranted(call, meta, path);
  else await noteRefusedRequest(call, result.error.cause, `tRPC ${path}`);
  return result;
});

const credentialOf = (kind: CallerKind | 'anonymous' | 'platform') =>
  kind === 'apiKey' ? 'an API key' : `the token of ${article(kind)}`;
const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

export const procedure = t.procedure.use(guard);

/**
 * Calls a procedure as tRPC does: who calls, input, the work, what was granted, output. tRPC's own chain of functions
 * costs more than twenty microseconds for this, which is as much as all the rest of a request's frame.
 *
 * @throws TRPCError `BAD_REQUEST` for a wrong input; whatever the work throws.
 */
export function callProcedure(called: ProcedureLike, ctx: ApiCall, path: string, rawInput: object): Promise<unknown> {
  const admitted = admit(ctx, called._def.meta, path);
  return admitted
    ? admitted.then(() => callAdmitted(called, ctx, path, rawInput))
    : callAdmitted(called, ctx, path, rawInput);
}

function callAdmitted(called: ProcedureLike, ctx: ApiCall, path: string, rawInput: object): Promise<unknown> {
  const { inputs = [], type } = called._def;
  if (type === 'mutation') refuseNestedDryRun(rawInput);
  return answerProcedure(called, ctx, path, readInput(inputs, rawInput));
}

/**
 * The same for typed calls: they have no dry runs, and what is refused is noted.
 *
 * @throws as `callProcedure`.
 */
export async function callTyped(called: ProcedureLike, ctx: ApiCall, path: string, rawInput: object): Promise<unknown> {
  const { meta, inputs = [] } = called._def;
  try {
    await admit(ctx, meta, path);
    refuseDryRun(rawInput, path);
    return await answerProcedure(called, ctx, path, readInput(inputs, rawInput));
  } catch (error) {
    await noteRefusedRequest(ctx, error instanceof TRPCError ? error.cause : error, `tRPC ${path}`);
    throw error;
  }
}

/** Maximum number of times that work is done while its caller's rights change. */
const ATTEMPTS = 3;

/**
 * Does the work of a call. If it has waited, and the rights that it used have changed, it is done again by the present ones,
 * also where it has failed: a reason is found by rights, too.
 *
 * @throws DomainError 503 `access.rights_changed` if they change every time; whatever the work throws.
 */
export async function byPresentRights<T>(
  ctx: ApiCall,
  outcome: 'read' | 'change',
  work: () => MaybePromise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      let result: T;
      try {
        result = await work();
      } catch (error) {
        if (isFinding(error) && ctx.mayHaveWaited) await ctx.requireUnchangedRights();
        throw error;
      }
      if (ctx.mayHaveWaited) await ctx.requirePresentRights(outcome);
      return result;
    } catch (error) {
      if (!(error instanceof RightsChanged) || attempt === ATTEMPTS || !ctx.mayStartOver) throw error;
      ctx.startOver(error);
    }
  }
}

/** Whether an error says what was found by rights. */
const isFinding = (error: unknown): boolean => error instanceof DomainError && !(error instanceof RightsChanged);

/** The rest of it, for a caller who was admitted and an input that was read. @throws as `byPresentRights`. */
export async function answerProcedure(
  { _def: { meta, output, resolver, type } }: ProcedureLike,
  ctx: ApiCall,
  path: string,
  input: unknown,
): Promise<unknown> {
  const options = { ctx, input, path, type, signal: undefined };
  const work = () => resolver(options);
  const result = await byPresentRights(ctx, type === 'query' ? 'read' : 'change', () =>
    meta?.rest?.takesCredential ? countingRefusals(ctx, work) : work(),
  );
  const asked = requireGranted(ctx, meta, path);
  if (asked) await asked;
  ctx.hasLongAnswer = isLong(result);
  if (!output) return result;
  const { success, data, error } = ctx.hasLongAnswer
    ? await safeParseInTurns(output, result)
    : output.safeParse(result);
  if (!success) throw new Error(`Procedure ${path} answered what its schema does not hold`, { cause: error });
  return data;
}

/** Without awaiting: zod's compiled way of reading is for schemas that are, and ours are all. */
export function readInput(inputs: readonly z.ZodType[], rawInput: object): unknown {
  let input: unknown;
  for (const schema of inputs) {
    const { success, data, error } = schema.safeParse(rawInput);
    if (!success) throw new TRPCError({ code: 'BAD_REQUEST', cause: error });
    input = input === undefined ? data : { ...(input as object), ...(data as object) };
  }
  return input;
}

/**
 * The known parts for `callProcedure`: the guard and the resolver, which have no name, and the input and output
 * middleware.
 */
const UNNAMED = 2;

/** Rejects, at the start, a procedure with middleware of its own, which `callProcedure` would skip. */
export function requirePlain({ _def: { middlewares } }: ProcedureLike, path: string): void {
  const named = middlewares.filter(({ _type }) => _type === 'input' || _type === 'output').length;
  if (middlewares.length - named > UNNAMED) throw new Error(`Procedure ${path} has middleware that REST would not run`);
}
