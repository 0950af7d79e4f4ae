import { randomUUID } from 'node:crypto';
import {
  BusyError,
  ResultCodeError,
  SizeLimitExceededError,
  UnavailableError,
  type Client,
  type Entry,
  type SearchResult,
} from 'ldapts';
import { badRequest, forbidden, unauthenticated } from '../../../../kernel/index.ts';
import { fillFilter, useDirectory } from '../../../../ldap/index.ts';
import type { Claims, LoginAttempt } from '../../auth-method.ts';
import { allowsOneOf } from '../../fields.ts';
import { userSubject } from './user-subject.ts';

interface Config {
  readonly url: string;
  readonly bindDN: string;
  readonly bindPass: string;
  readonly searchBase: string;
  readonly searchFilter: string;
  readonly allowedFields: readonly { key: string; value: string }[];
  readonly ldapCaCertificate: string;
}

const refused = () => unauthenticated('ldap_auth.rejected', 'The user name or the password is wrong');

/**
 * Searches for a user with the configured account, and binds as the found entry.
 *
 * @throws DomainError 401, always the same, for an unknown user, several matches and a wrong password; 403 for a user
 * who lacks a field; 400 if the directory is unreachable, or rejects the account.
 */
export async function verifyUser(
  config: Config,
  { username, password }: { username: string; password: string },
  { connect, resolveSubject, accepted }: Pick<LoginAttempt, 'connect' | 'resolveSubject' | 'accepted'>,
): Promise<Claims> {
  // With an empty password a bind is anonymous, and succeeds (RFC 4513, section 5.1.2). Some directories take a NUL for
  // the end of a text.
  if (password === '' || password.includes('\0')) throw refused();
  const directory = { url: config.url, ca: config.ldapCaCertificate };
  return useDirectory(connect, directory, async (client) => {
    await client.bind(config.bindDN, config.bindPass).catch(refusedAccount);
    await accepted();
    const found = await findUser(client, config, username);
    if (found) await resolveSubject(userSubject('entry', found.dn));
    // Binds as an invented name, so that response times disclose nothing.
    const isRight = await isPassword(client, found?.dn ?? `cn=${randomUUID()},${config.searchBase}`, password);
    if (!found || !isRight) throw refused();
    const values = valuesOf(found);
    const missing = config.allowedFields.find(
      ({ key, value }) => !allowsOneOf(value, values.get(key.toLowerCase()) ?? NONE),
    );
    if (missing) throw forbidden('ldap_auth.field', `This user may not log in: ${missing.key} has no allowed value`);
    return { ldap: { dn: found.dn } };
  });
}

/** The one entry that the filter matches; `undefined` for none or several. Referrals are not followed. */
async function findUser(client: Client, config: Config, username: string): Promise<Entry | undefined> {
  const fields = config.allowedFields.map(({ key }) => key);
  const search = client.search(config.searchBase, {
    scope: 'sub',
    filter: fillFilter(config.searchFilter, username),
    // None, where none is wanted.
    attributes: fields.length > 0 ? fields : ['1.1'],
  });
  const { searchEntries } = await search.catch(tooMany);
  const [entry, ...others] = searchEntries;
  return entry?.dn && others.length === 0 ? entry : undefined;
}

function tooMany(error: unknown): SearchResult {
  if (error instanceof SizeLimitExceededError) return { searchEntries: [], searchReferences: [] };
  throw error;
}

async function isPassword(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    // Any other result is a rejection of this user.
    const isAnswer =
      error instanceof ResultCodeError && !(error instanceof BusyError || error instanceof UnavailableError);
    if (isAnswer) return false;
    throw error;
  }
}

const NONE: ReadonlySet<string> = new Set();

/** The values of attributes, by their names in lower case. They may be a hundred thousand: they are looked at once, not for each field. */
function valuesOf(entry: Entry): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const [name, given] of Object.entries(entry)) {
    const values = all.get(name.toLowerCase()) ?? new Set();
    for (const value of [given].flat()) values.add(String(value));
    all.set(name.toLowerCase(), values);
  }
  return all;
}

function refusedAccount(error: unknown): never {
  if (!(error instanceof ResultCodeError)) throw error;
  throw badRequest('ldap_auth.account', 'The directory rejected the configured account (bindDN and bindPass)', {
    code: error.code,
  });
}
