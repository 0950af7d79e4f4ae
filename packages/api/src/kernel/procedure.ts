import { authenticate, forbidden, unauthenticated } from '@coffer/domain';
import { initTRPC } from '@trpc/server';
import type { ApiCall } from './api-call.ts';
import { errorShape } from './errors.ts';
import type { ActorType, Meta } from './meta.ts';

const t = initTRPC
  .context<ApiCall>()
  .meta<Meta>()
  .create({ errorFormatter: ({ shape, error, ctx }) => errorShape(shape, error, ctx) });

export const router = t.router;
export const mergeRouters = t.mergeRouters;

const ANYONE: readonly ActorType[] = ['user', 'identity'];

/**
 * Who calls is found out before anything is read, and a procedure that ends without having been granted what it
 * declared answers with an error instead of its result: a forgotten check shows the first time it is run.
 */
const guard = t.middleware(async ({ ctx, meta, path, next }) => {
  const needs = meta?.needs;
  if (needs === undefined) throw new Error(`Procedure ${path} does not say what it needs`);
  if (needs !== 'public' && ctx.actor.type === 'anonymous') {
    if (!ctx.http.bearer) throw unauthenticated('auth.no_token', 'Send a token: Authorization: Bearer <token>');
    ctx.actor = await authenticate(ctx as ApiCall, ctx.http.bearer);
  }
  if (needs !== 'public' && !(meta?.rest?.actors ?? ANYONE).includes(ctx.actor.type as ActorType)) {
    throw forbidden('auth.wrong_actor', `This operation does not take the token of ${article(ctx.actor.type)}`, { name: 'ForbiddenError' });
  }
  const result = await next();
  if (result.ok && typeof needs === 'object' && !ctx.granted.has(needs.key)) {
    throw new Error(`Procedure ${path} ended without having asked for ${needs.key}`);
  }
  return result;
});

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

export const procedure = t.procedure.use(guard);
