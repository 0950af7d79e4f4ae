import { Attribute, Change, ResultCodeError, type Client } from 'ldapts';
import { ambiguousOutcome, rejectedBy } from '../../family/index.ts';
import type { OutboundConnect } from '../../kernel/index.ts';
import { useDirectory } from '../../ldap/index.ts';
import type { LdifOperation } from './ldif.ts';

export interface DirectoryAccount {
  readonly url: string;
  readonly ca?: string | null | undefined;
  readonly binddn: string;
  readonly bindpass: string;
}

/** A connection that may change entries. Errors of the directory are thrown as `rejectedBy`. */
export interface DirectorySession {
  /** Runs operations in order, up to the first that fails. */
  doAll(operations: readonly LdifOperation[]): Promise<void>;
  /** Runs all deletions that succeed, ignoring missing entries. Returns the DNs of changed entries that still exist. */
  undoAll(operations: readonly LdifOperation[]): Promise<string[]>;
  hasEntry(dn: string): Promise<boolean>;
}

/** RFC 4511, appendix A. */
const [NO_SUCH_ATTRIBUTE, VALUE_EXISTS, NO_SUCH_OBJECT, ENTRY_EXISTS] = [16, 20, 32, 68];

/** @throws DomainError 400 `outbound.*`, `ldap.*`, or the error of the directory. */
export function inDirectory<T>(
  { url, ca, binddn, bindpass }: DirectoryAccount,
  { connect }: { readonly connect: OutboundConnect },
  work: (session: DirectorySession) => Promise<T>,
): Promise<T> {
  const host = new URL(url).hostname;
  return useDirectory(connect, { url, ca: ca ?? undefined }, async (client) => {
    await client.bind(binddn, bindpass).catch((error: unknown) => refuse(host, error));
    return work(sessionOf(client, host));
  });
}

const sessionOf = (client: Client, host: string): DirectorySession => ({
  async doAll(operations) {
    let done = 0;
    for (const operation of operations) {
      await apply(client, operation).catch((error: unknown) => refuse(host, error, done > 0));
      done++;
    }
  },
  async undoAll(operations) {
    const changed: string[] = [];
    const failures: unknown[] = [];
    for (const operation of operations) {
      try {
        await apply(client, operation);
        if (operation.change === 'modify') changed.push(operation.dn);
      } catch (error) {
        // The login is deleted even if a group keeps it as a member.
        if (!isGoneAlready(operation, error)) failures.push(error);
      }
    }
    if (failures.length > 0) refuse(host, failures[0], true);
    return changed;
  },
  async hasEntry(dn) {
    try {
      await client.search(dn, { scope: 'base', filter: '(objectClass=*)', attributes: ['1.1'] });
      return true;
    } catch (error) {
      return codeOf(error) === NO_SUCH_OBJECT ? false : refuse(host, error);
    }
  },
});

async function apply(client: Client, operation: LdifOperation): Promise<void> {
  const { dn } = operation;
  if (operation.change === 'delete') return client.del(dn);
  if (operation.change === 'add')
    return client.add(
      dn,
      operation.attributes.map((one) => new Attribute(one)),
    );
  const changes = operation.attributes.map(
    (one) => new Change({ operation: one.operation, modification: new Attribute(one) }),
  );
  return client.modify(dn, changes);
}

const codeOf = (error: unknown): number | undefined => (error instanceof ResultCodeError ? error.code : undefined);

/** Whether an error only means that a deleted entry is missing, or that a new one exists. */
function isGoneAlready(operation: LdifOperation, error: unknown): boolean {
  const code = codeOf(error);
  if (operation.change === 'add') return code === ENTRY_EXISTS;
  if (code === NO_SUCH_OBJECT) return true;
  if (operation.change === 'delete') return false;
  const isAll = (kind: string) => operation.attributes.every((one) => one.operation === kind);
  return (code === NO_SUCH_ATTRIBUTE && isAll('delete')) || (code === VALUE_EXISTS && isAll('add'));
}

/** `isMidway`: something was done before. */
function refuse(host: string, error: unknown, isMidway = false): never {
  if (!(error instanceof ResultCodeError)) throw error;
  const said = error.message.replace(/ ?Code: 0x[0-9a-f]+$/, '').trim();
  const name = error.name.replace(/Error$/, '');
  const words = `${name} (${error.code})${said === '' ? '' : `: ${said}`}`;
  throw isMidway ? ambiguousOutcome(host, words) : rejectedBy(host, words);
}
