import { z } from 'zod';
import { badRequest } from '../../kernel/index.ts';
import type { Credentials } from '../connection/index.ts';
import { needed } from '../fields.ts';
import type { Generating } from './rotation.ts';

const login = (which: string) =>
  needed(`the name of the ${which} login`, 255)
    .regex(/^[^\p{Cc}]+$/u, `the name of the ${which} login`)
    .describe(`The ${which} of the two logins, which exists in the database`);
const Parameters = z.object({ username1: login('first'), username2: login('second') });
type Parameters = z.output<typeof Parameters>;

/**
 * What rotations have in common that set the passwords of two logins of a database in turn.
 *
 * @param canonical The same name for all that the database takes for one login.
 */
export const twoLogins = (canonical: (name: string) => string) => ({
  parameters: Parameters,
  slots: 2 as const,
  loginOf: ({ username }: Credentials): string => canonical(String(username)),
  accounts: ({ username1, username2 }: Parameters): readonly string[] => [username1, username2].map(canonical),
  validate({ username1, username2 }: Parameters, credentials: Credentials): void {
    const logins = [username1, username2].map(canonical);
    if (logins[0] === logins[1])
      throw badRequest('secret_rotation.parameters', 'username1 and username2 must be two logins');
    if (logins.includes(canonical(String(credentials['username']))))
      throw badRequest(
        'secret_rotation.parameters',
        'username1 and username2 must be other logins than that of the connection, which changes their passwords',
      );
  },
  generate: (
    { username1, username2 }: Parameters,
    { slot, password }: Pick<Generating<unknown>, 'slot' | 'password'>,
  ) => ({
    username: slot === 0 ? username1 : username2,
    password: password(),
  }),
});
