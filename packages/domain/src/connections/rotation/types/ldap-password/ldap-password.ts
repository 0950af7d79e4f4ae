import { z } from 'zod';
import {
  canonicalDn,
  encodePassword,
  pairsOf,
  type LdifOperation,
  type ModifyOperation,
} from '../../../../apps/ldap/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { makePassword, PasswordRequirements } from '../../../../secrets/dynamic/index.ts';
import { ldap, type LdapAccess } from '../../../apps/ldap/index.ts';
import type { Credentials } from '../../../connection/index.ts';
import { needed } from '../../../fields.ts';
import { isAccepted } from '../../accepted.ts';
import { presentPassword } from '../../present-password.ts';
import { defineRotation, type RotationTarget } from '../../rotation.ts';

const Parameters = z.object({
  dn: needed('the DN of an entry', 400)
    .refine((dn) => pairsOf(dn) !== undefined && !/\p{Cc}/u.test(dn), 'Expected the DN of an entry (RFC 4514)')
    .meta({ examples: ['uid=app,ou=people,dc=example,dc=com'] }),
  passwordRequirements: PasswordRequirements.optional(),
  rotationMethod: z
    .enum(['connection-principal', 'target-principal'])
    .default('connection-principal')
    .describe('Who sets the password: the entry of the connection, or the entry itself'),
});

/** The password of one entry. */
export const ldapPassword = defineRotation({
  type: 'ldap-password',
  title: 'LDAP Password',
  connector: ldap,
  parameters: Parameters,
  temporary: z.object({ password: z.string().min(1).max(1024).optional() }),
  mapping: { dn: 'LDAP_DN', password: 'LDAP_PASSWORD' },
  secret: ['password'],
  slots: 1,
  accounts: ({ dn }) => [canonicalDn(dn) ?? dn],
  loginOf: ({ dn }) => canonicalDn(String(dn)) ?? String(dn),
  validate({ dn, rotationMethod }, credentials, temporary) {
    if (canonicalDn(dn) === canonicalDn(String(credentials['dn'])))
      throw badRequest('secret_rotation.parameters', 'dn must be another entry than that of the connection');
    if (rotationMethod === 'target-principal' && temporary) presentPassword({ temporary });
  },
  generate: ({ dn, passwordRequirements }, { password }) => ({ dn, password: password(passwordRequirements) }),
  async apply(target, { parameters, plan, current, temporary, isReconciling }) {
    if (parameters.rotationMethod === 'connection-principal' || isReconciling)
      await setPassword(target, target.client, plan);
    // An attempt before this one may have set it.
    else if (!(await isAccepted(() => logIn(target, plan)))) {
      const password = presentPassword({ current, temporary });
      await setPassword(target, await target.as({ dn: plan.dn, password }), plan, password);
    }
    return plan;
  },
  verify: logIn,
  async revoke(target, { parameters, plan, credential }) {
    const unknown = { dn: plan.dn, password: makePassword(parameters.passwordRequirements) };
    if (parameters.rotationMethod === 'connection-principal') return setPassword(target, target.client, unknown);
    const { dn, password } = credential ?? plan;
    await setPassword(target, await target.as({ dn, password }), unknown, password);
  },
  canReconcile: true,
});

interface Login {
  readonly dn: string;
  readonly password: string;
}

async function logIn({ as }: RotationTarget<LdapAccess>, { dn, password }: Login): Promise<void> {
  const access = await as({ dn, password });
  await access(() => Promise.resolve());
}

/** @param before The present password, where the entry changes its own. */
const setPassword = (
  { credentials }: { readonly credentials: Credentials },
  access: LdapAccess,
  { dn, password }: Login,
  before?: string,
): Promise<void> => access((session) => session.doAll([changeOf(credentials['provider'], dn, password, before)]));

function changeOf(provider: unknown, dn: string, password: string, before: string | undefined): LdifOperation {
  const attribute = (operation: ModifyOperation, type: string, value: Buffer) => ({ operation, type, values: [value] });
  if (provider === 'openldap')
    return { change: 'modify', dn, attributes: [attribute('replace', 'userPassword', Buffer.from(password))] };
  // MS-ADTS 3.1.1.3.1.5: a reset replaces the value, a change deletes the old and adds the new one.
  const encoded = (operation: ModifyOperation, value: string) =>
    attribute(operation, 'unicodePwd', encodePassword(value));
  const attributes =
    before === undefined ? [encoded('replace', password)] : [encoded('delete', before), encoded('add', password)];
  return { change: 'modify', dn, attributes };
}
