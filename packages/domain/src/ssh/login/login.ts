import { z } from 'zod';
import { schemaNamed, text } from '../../kernel/schema.ts';

/** What makes up the principals that certificates for a host contain. */
export const PrincipalMode = z
  .enum(['login-user', 'host-bound'])
  .describe(
    '`login-user`: the principal is the login user, and a certificate opens every host of the same user authority. `host-bound`: the principal also names the host, which reads it from its `AuthorizedPrincipalsFile`',
  );
export type PrincipalMode = z.output<typeof PrincipalMode>;

/** No colon: it is what tells the principals of hosts from login users. */
const LoginUser = text(64)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.@+-]*\$?$/, 'Expected the name of a local user: letters, digits, and _.@+-')
  .meta({ examples: ['deploy'] });

const names = (max: number, what: string) =>
  z
    .array(text(255).trim().min(1))
    .max(max)
    .transform((given) => [...new Set(given)])
    .default([])
    .describe(what)
    .meta({ override: { type: 'array', items: { type: 'string', maxLength: 255 }, maxItems: max, default: [] } });

const USERNAMES = 'User names of members of the project';
const GROUPS = 'Slugs of groups that are members of the project; every user and machine identity in them may log in';

/** Who may log in as one user of a host. */
export const LoginMapping = schemaNamed(
  'SshLoginMapping',
  z.object({
    loginUser: z.string().meta({ examples: ['deploy'] }),
    allowedPrincipals: z.object({
      usernames: z
        .array(z.string())
        .describe(USERNAMES)
        .meta({ examples: [['ann@example.com']] }),
      groups: z
        .array(z.string())
        .describe(GROUPS)
        .meta({ examples: [['database-team']] }),
    }),
  }),
);
export type LoginMapping = z.output<typeof LoginMapping>;

export const LoginMappings = z
  .array(
    schemaNamed(
      'GivenSshLoginMapping',
      z.object({
        loginUser: LoginUser,
        allowedPrincipals: z.object({ usernames: names(500, USERNAMES), groups: names(100, GROUPS) }),
      }),
    ),
  )
  .max(100)
  .refine(
    (given) => new Set(given.map(({ loginUser }) => loginUser)).size === given.length,
    'Each login user can be in the list once',
  )
  .describe('Who may log in as which local user');
export type LoginMappings = z.output<typeof LoginMappings>;

export { LoginUser };

/** The same as `principalFor`, in SQL. */
export const principalSql = (mode: string, sshHostId: string, loginUser: string): string =>
  `case when ${mode} = 'host-bound' then 'host:' || ${sshHostId} || ':' else '' end || ${loginUser}`;

/** The only principal of a user certificate for a host. */
export const principalFor = (mode: PrincipalMode, sshHostId: string, loginUser: string): string =>
  mode === 'host-bound' ? `host:${sshHostId}:${loginUser}` : loginUser;
