import { authMethodMembers } from '@coffer/domain';
import { camel, type Camel } from '../kernel/index.ts';
import { loginMethodRouter } from './auth-method.router.ts';

type Member = (typeof authMethodMembers)[number];
/** Methods with operations of their own, in routers of their own. */
type WithMore = Extract<Member, { kind: 'universal-auth' | 'token-auth' }>;

type Routers = {
  [Method in Exclude<Member, WithMore> as Camel<Method['kind']>]: ReturnType<typeof loginMethodRouter<Method>>;
};

/** The operations of every login method that has no others than all have: `kubernetesAuth.attach`. */
export const loginMethodRouters = Object.fromEntries(
  authMethodMembers
    .filter(({ kind }) => kind !== 'universal-auth' && kind !== 'token-auth')
    .map((method) => [camel(method.kind), loginMethodRouter(method)]),
) as unknown as Routers;
