import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isRemote } from '../../../../family/index.ts';
import { PasswordRequirements } from '../../../../secrets/dynamic/index.ts';
import { redis } from '../../../apps/redis/index.ts';
import { defineRotation } from '../../rotation.ts';

/** Rules of an ACL that say what a user may do, not how it logs in: https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/ */
const RULE = /^(?:[+-][@\w|-]+|~\S+|%(?:R|W|RW)~\S+|&\S+|all(?:keys|channels|commands)|nocommands)$/;
const SCOPE = 'rules of an ACL such as ~app:* +@read';

const Parameters = z.object({
  permissionScope: z
    .string()
    .max(1024, { abort: true })
    .regex(/^[^\r\n]*$/, SCOPE)
    .refine((scope) => wordsOf(scope).every((rule) => RULE.test(rule)), `Expected ${SCOPE}`)
    .default('~* +@all')
    .describe('What the users may do, as rules of an ACL'),
  passwordRequirements: PasswordRequirements.optional(),
});

const wordsOf = (scope: string): string[] => scope.split(' ').filter((word) => word !== '');

export const redisCredentials = defineRotation({
  type: 'redis-credentials',
  title: 'Redis Credentials',
  connector: redis,
  parameters: Parameters,
  mapping: { username: 'REDIS_USERNAME', password: 'REDIS_PASSWORD' },
  secret: ['password'],
  slots: 2,
  // Each credential is a user of its own.
  accounts: () => [],
  loginOf: ({ username }) => String(username),
  generate: ({ passwordRequirements }, { password }) => ({
    username: `coffer_${randomBytes(8).toString('hex')}`,
    password: password(passwordRequirements),
  }),
  async apply({ client }, { parameters, plan, replaced }) {
    const rules = wordsOf(parameters.permissionScope);
    await client((session) =>
      session.run([
        ...(replaced ? [['ACL', 'DELUSER', replaced.username]] : []),
        ['ACL', 'SETUSER', plan.username, 'reset', 'on', `>${plan.password}`, ...rules],
      ]),
    );
    return plan;
  },
  async verify({ as }, { username, password }) {
    const access = await as({ username, password });
    // A user that may not ask who it is has logged in.
    await access(() => Promise.resolve()).catch((error: unknown) => {
      if (!isRemote(error, 'rejected') || !error.message.includes('NOPERM')) throw error;
    });
  },
  revoke: ({ client }, { plan }) => client((session) => session.run([['ACL', 'DELUSER', plan.username]])),
  canReconcile: true,
});
