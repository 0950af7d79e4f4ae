import { z } from 'zod';
import { badRequest } from '../../../../kernel/index.ts';
import { makePassword, PasswordRequirements } from '../../../../secrets/dynamic/index.ts';
import { ssh, type SshAccess } from '../../../apps/ssh/index.ts';
import { isAccepted } from '../../accepted.ts';
import { presentPassword } from '../../present-password.ts';
import { defineRotation, type RotationTarget } from '../../rotation.ts';
import { changeOwnPassword, setPassword, type Login } from './password.ts';

const NAME = 'the name of an account';
const Parameters = z.object({
  // Neither a separator of chpasswd nor an option can be in it.
  username: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/, NAME)
    .meta({ examples: ['shop'] }),
  passwordRequirements: PasswordRequirements.optional(),
  rotationMethod: z
    .enum(['login-as-root', 'login-as-target'])
    .default('login-as-root')
    .describe('Who sets the password: the login of the connection, or the account itself'),
  useSudo: z.boolean().default(false).describe('Whether the login of the connection sets it with sudo'),
});

/** The password of one account of a server. */
export const unixLinuxLocalAccount = defineRotation({
  type: 'unix-linux-local-account',
  title: 'Unix/Linux Local Account',
  connector: ssh,
  parameters: Parameters,
  temporary: z.object({
    password: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^\P{Cc}+$/u, 'a password')
      .optional(),
  }),
  mapping: { username: 'UNIX_USERNAME', password: 'UNIX_PASSWORD' },
  secret: ['password'],
  slots: 1,
  accounts: ({ username }) => [username],
  loginOf: ({ username }) => String(username),
  validate({ username, rotationMethod }, credentials, temporary) {
    if (username === credentials['username'])
      throw badRequest('secret_rotation.parameters', 'username must be another account than that of the connection');
    if (rotationMethod === 'login-as-target' && temporary) presentPassword({ temporary });
  },
  generate: ({ username, passwordRequirements }, { password }) => ({
    username,
    password: password(passwordRequirements),
  }),
  async apply(target, { parameters, plan, current, temporary, isReconciling }) {
    if (parameters.rotationMethod === 'login-as-root' || isReconciling) await setPassword(target, plan, parameters);
    // An attempt before this one may have set it.
    else if (!(await isAccepted(() => logIn(target, plan)))) {
      const present = presentPassword({ current, temporary });
      await changeOwnPassword(await as(target, { ...plan, password: present }), present, plan.password);
    }
    return plan;
  },
  verify: logIn,
  async revoke(target, { parameters, plan, credential }) {
    const { username, password } = credential ?? plan;
    const unknown = makePassword(parameters.passwordRequirements);
    if (parameters.rotationMethod === 'login-as-root')
      await setPassword(target, { username, password: unknown }, parameters);
    else await changeOwnPassword(await as(target, { username, password }), password, unknown);
  },
  canReconcile: true,
});

/** As the account itself. */
const as = (target: RotationTarget<SshAccess>, { username, password }: Login): Promise<SshAccess> =>
  target.as({ method: 'password', username, password });

async function logIn(target: RotationTarget<SshAccess>, login: Login): Promise<void> {
  await (await as(target, login)).run(() => Promise.resolve());
}
