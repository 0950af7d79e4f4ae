import {
  canonicalDn,
  isSameDn,
  readLdif,
  renderDn,
  renderLdif,
  setsPassword,
  uses,
  type LdifRecord,
  type Name,
} from '../../../../apps/ldap/index.ts';
import { refuseIn } from '../../statement.ts';
import type { DynamicInputs, Inputs, StaticInputs } from './inputs.ts';

const PASSWORD = ['password', 'EncodedPassword'] as const satisfies Name[];
/** The permitted operations of LDIFs that create or delete entries. */
export const ALL = ['username', ...PASSWORD] as const satisfies Name[];
export const MAX_USERNAME = 64;
/** Of the entry's name, with the name that is made for it in it. */
const MAX_DN = 400;

/** The entry that logs in. */
export const entryOf = (inputs: Inputs, username: string): string =>
  inputs.credentialType === 'static'
    ? accountOf(inputs.rotationLdif)
    : loginOf(readLdif(inputs.creationLdif, ALL, refuseIn('creationLdif')), username);

/** The entry whose password a rotation changes. */
export function accountOf(rotationLdif: string): string {
  const dn = readLdif(rotationLdif, PASSWORD, refuseIn('rotationLdif')).find(setsPassword)?.dn;
  return dn ? renderDn(dn, {}) : '';
}

function loginOf(records: readonly LdifRecord[], username: string): string {
  const login = records.find(setsPassword);
  return login ? renderDn(login.dn, { username }) : '';
}

/** @throws DomainError 400 for LDIFs that create no login, or leave it unchanged. */
export function requireLifecycle({ creationLdif, revocationLdif, rollbackLdif }: DynamicInputs): void {
  const creation = readLdif(creationLdif, ALL, refuseIn('creationLdif'));
  const logins = creation.filter(setsPassword);
  const [login] = logins;
  if (!login) throw refuseIn('creationLdif')('it sets no password: use {{password}} or {{EncodedPassword}}');
  if (!uses(login.dn.pieces, 'username'))
    throw refuseIn('creationLdif')('the name of the entry with the password must contain {{username}}');
  const name = 'x'.repeat(MAX_USERNAME);
  const dn = loginOf(creation, name);
  if (dn.length > MAX_DN) throw refuseIn('creationLdif')(`the name of the entry is longer than ${MAX_DN} characters`);
  if (logins.some((one) => !isSameDn(loginOf([one], name), dn)))
    throw refuseIn('creationLdif')('it sets the password of several entries');
  const revoked = renderLdif(readLdif(revocationLdif, ALL, refuseIn('revocationLdif')), {
    username: name,
    password: '',
  });
  if (!revoked.some((operation) => operation.change !== 'add' && isSameDn(operation.dn, dn)))
    throw refuseIn('revocationLdif')('it does not change the entry whose password creationLdif sets');
  if (rollbackLdif) readLdif(rollbackLdif, ALL, refuseIn('rollbackLdif'));
}

/** @throws DomainError 400 for an LDIF that does anything else than set the password of one entry, which is not its own. */
export function requireRotation({ rotationLdif, binddn }: StaticInputs): void {
  const records = readLdif(rotationLdif, PASSWORD, refuseIn('rotationLdif'));
  if (records.some(({ change }) => change !== 'modify')) throw refuseIn('rotationLdif')('it may only modify entries');
  const accounts = records.filter(setsPassword);
  if (accounts.length !== 1)
    throw refuseIn('rotationLdif')('it must set {{password}} or {{EncodedPassword}} of one entry');
  if (accountOf(rotationLdif).length > MAX_DN)
    throw refuseIn('rotationLdif')(`the name of the entry is longer than ${MAX_DN} characters`);
  if (canonicalDn(accountOf(rotationLdif)) === canonicalDn(binddn))
    throw refuseIn('rotationLdif')('the entry must be another one than binddn, which sets its password');
}
