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
  type AuthMethodInput,
  type Context,
} from '@coffer/domain';
import { z } from 'zod';
import { inLoginTurn, limitingRefusals, mergeRouters, procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit } = identityRights;

/** The declaration of a member, with its own type. */
const of = <Method extends AnyAuthMethod, Name extends keyof AnyAuthMethod>(method: Method, name: Name): Method[Name] =>
  method[name];

/** An answer under the method's own key: `{identityUniversalAuth: {…}}`. */
const under = <Key extends string, Answer extends z.ZodType>(
  key: Key,
  answer: Answer,
): z.ZodObject<Record<Key, Answer>> => z.object({ [key]: answer } as Record<Key, Answer>);

/** The operations that every login method has, at its published paths. */
export function authMethodRouter<const Method extends AnyAuthMethod>(method: Method) {
  const { kind, title } = method;
  const answerKey = of(method, 'answerKey');
  const path = `/api/v1/auth/${kind}/identities/{identityId}` as const;
  const answer = under(answerKey, of(method, 'Answer')).extend({
    warnings: z
      .array(z.string())
      .describe('Why no identity can log in by this method at present; empty if logins are possible'),
  });
  /** The engine treats all members alike: types of a member are enforced by its schemas for input and output. */
  const by =
    (
      operate: (
        ctx: Context,
        method: AnyAuthMethod,
        input: AuthMethodInput,
      ) => Promise<{ warnings: readonly string[] }>,
    ) =>
    async ({ ctx, input }: { ctx: Context; input: unknown }) => {
      const { warnings, ...answered } = await operate(ctx, method, input as AuthMethodInput);
      return { [answerKey]: answered, warnings } as never;
    };
  return router({
    attach: procedure
      .meta(rest('POST', path, create, `Attach ${title} to a machine identity`))
      .input(of(method, 'Attach'))
      .output(answer)
      .mutation(by(attachAuthMethod)),

    get: procedure
      .meta(rest('GET', path, read, `Get the ${title} of a machine identity`))
      .input(IdentityRef)
      .output(answer)
      .query(by(readAuthMethod)),

    update: procedure
      .meta(rest('PATCH', path, edit, `Update the ${title} of a machine identity; omitted fields stay unchanged`))
      .input(of(method, 'Update'))
      .output(answer)
      .mutation(by(updateAuthMethod)),

    detach: procedure
      .meta(rest('DELETE', path, edit, `Detach ${title} from a machine identity and revoke its tokens`))
      .input(IdentityRef)
      .output(under(answerKey, of(method, 'DetachedAnswer')))
      .mutation(by(detachAuthMethod)),
  });
}

/** The login of a method, if it has one, with a JSON or form body; no token is needed. */
export const loginProcedure = <Login extends z.ZodObject>(
  method: AnyAuthMethod & { readonly Login: Login | undefined },
) => {
  if (!method.Login) throw new Error(`${method.kind} has no login`);
  return procedure
    .meta(
      rest('POST', `/api/v1/auth/${method.kind}/login`, 'public', `Log in by ${method.title}`, {
        form: true,
        limitsRefusals: true,
      }),
    )
    .input(method.Login)
    .output(IssuedToken)
    .mutation(({ ctx, input }) => {
      const limited = method.verify ? inLoginTurn : limitingRefusals;
      return limited(ctx, subjectOf(method, input), () => logInWith(ctx, method, input));
    });
};

/** Whom a login is for: the client, or the identity. */
const subjectOf = ({ kind }: AnyAuthMethod, input: object): string => {
  const { clientId, identityId } = input as { clientId?: string; identityId?: string };
  return `${kind}:${(clientId ?? identityId ?? '').trim().toLowerCase()}`;
};

/** All operations of a login method whose login is all that it has beside. */
export const loginMethodRouter = <const Method extends AnyAuthMethod>(method: Method) =>
  mergeRouters(authMethodRouter(method), router({ logIn: loginProcedure<NonNullable<Method['Login']>>(method) }));
