import {
  attachAuthMethod,
  detachAuthMethod,
  identityRights,
  IdentityRef,
  IssuedToken,
  logInWith,
  readAuthMethod,
  updateAuthMethod,
  type AnyAuthMethod,
} from '@coffer/domain';
import { z } from 'zod';
import { mergeRouters, procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit } = identityRights;

/** An answer under the method's own key: `{identityUniversalAuth: {…}}`. */
const answerOf = <Method extends AnyAuthMethod>(method: Method) =>
  z.object({ [method.answerKey]: method.Answer } as { [Key in Method['answerKey']]: Method['Answer'] });
const detachedAnswerOf = <Method extends AnyAuthMethod>(method: Method) =>
  z.object({ [method.answerKey]: method.DetachedAnswer } as { [Key in Method['answerKey']]: Method['DetachedAnswer'] });

/** The operations that every login method has, at its published paths. */
export function authMethodRouter<const Method extends AnyAuthMethod>(method: Method) {
  const { kind, title, answerKey } = method;
  const path = `/api/v1/auth/${kind}/identities/{identityId}` as const;
  const wrap = (answer: unknown) => ({ [answerKey]: answer }) as never;
  return router({
    attach: procedure
      .meta(rest('POST', path, create, `Attach ${title} to a machine identity`))
      .input(method.Attach as Method['Attach'])
      .output(answerOf(method))
      .mutation(async ({ ctx, input }) => wrap(await attachAuthMethod(ctx, method, input as never))),

    get: procedure
      .meta(rest('GET', path, read, `Get the ${title} of a machine identity`))
      .input(IdentityRef)
      .output(answerOf(method))
      .query(async ({ ctx, input }) => wrap(await readAuthMethod(ctx, method, input))),

    update: procedure
      .meta(rest('PATCH', path, edit, `Change the ${title} of a machine identity; what is not named stays`))
      .input(method.Update as Method['Update'])
      .output(answerOf(method))
      .mutation(async ({ ctx, input }) => wrap(await updateAuthMethod(ctx, method, input as never))),

    detach: procedure
      .meta(rest('DELETE', path, edit, `Detach ${title} from a machine identity; its tokens end at once`))
      .input(IdentityRef)
      .output(detachedAnswerOf(method))
      .mutation(async ({ ctx, input }) => wrap(await detachAuthMethod(ctx, method, input))),
  });
}

/** The login of a method that has one. JSON and forms alike; no token is needed. */
export const loginProcedure = <Login extends z.ZodObject>(
  method: AnyAuthMethod & { readonly Login: Login | undefined },
) => {
  if (!method.Login) throw new Error(`${method.kind} has no login`);
  return procedure
    .meta(
      rest('POST', `/api/v1/auth/${method.kind}/login`, 'public', `Log in by ${method.title}`, {
        form: true,
        strictlyLimited: true,
      }),
    )
    .input(method.Login)
    .output(IssuedToken)
    .mutation(({ ctx, input }) => logInWith(ctx, method, input as never));
};

/** All operations of a login method whose login is all that it has beside. */
export const loginMethodRouter = <const Method extends AnyAuthMethod & { readonly Login: z.ZodObject | undefined }>(
  method: Method,
) => mergeRouters(authMethodRouter(method), router({ logIn: loginProcedure<NonNullable<Method['Login']>>(method) }));
