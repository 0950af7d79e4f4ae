import { appendFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CofferClient, SshHost } from '@coffer/client';
import { choose } from '../../ask.ts';
import { failure } from '../../exit.ts';
import { makePrivateDirectory, pathOf, readIfThere, writeWhole } from '../../files.ts';
import { configDirectory } from '../../home.ts';
import type { Io } from '../../io.ts';
import { withLock } from '../../lock.ts';
import { withoutCredentials } from '../../own-credentials.ts';
import { connect } from '../../session.ts';
import type { Action, Invocation } from '../../table/command.ts';
import { superviseChild, find } from '../run/replace.ts';
import { addToAgent } from './agent.ts';
import { accountOf, hostnameOf, keysOf, publicKeysOf } from './answer.ts';
import type { connectFlags } from './flags.ts';

export const connectToHost: Action<typeof connectFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const client = await connect(invocation);
  const host = await hostOf(invocation, client);
  const hostname = hostnameOf(host.hostname);
  const loginUser = accountOf(await loginUserOf(invocation, host));
  const credentials = keysOf(await client.sshHosts.issueUserCert.mutate({ sshHostId: host.id, loginUser }));
  if (flags['write-host-ca-to-file']) await trust(client, host, io);
  if (flags['out-file-path']) {
    const path = join(pathOf(flags['out-file-path'], io.cwd), `id_${hostname}`);
    writeWhole(path, credentials.privateKey);
    writeWhole(`${path}-cert.pub`, `${credentials.signedKey}\n`, { mode: 0o644 });
    return io.say('info', `Wrote ${path} and ${path}-cert.pub; log in with: ssh -i ${path} ${loginUser}@${hostname}`);
  }
  addToAgent(io, credentials);
  const env = withoutCredentials(io.env);
  return superviseChild([find('ssh', env['PATH'], io.cwd), `${loginUser}@${hostname}`], env);
};

async function hostOf({ flags, io }: Invocation<typeof connectFlags>, client: CofferClient): Promise<SshHost> {
  const hosts = await client.sshHosts.listOwn.query();
  if (!hosts.length) throw failure('You may log in on no host');
  if (!flags.hostname)
    return choose(
      io,
      'Host',
      hosts,
      ({ hostname, alias, projectId }) => `${alias ? `${alias} (${hostname})` : hostname}, of the project ${projectId}`,
      'pass --hostname',
    );
  // Hosts are of several projects, and others give theirs the names and aliases that they like: a name with a dot is no alias.
  const mayBeAlias = !flags.hostname.includes('.');
  const [found, ...others] = hosts.filter(
    ({ hostname, alias }) => hostname === flags.hostname || (mayBeAlias && alias === flags.hostname),
  );
  if (others.length)
    throw failure(
      `${flags.hostname} is the name of several hosts on which you may log in`,
      'Leave out --hostname, and choose',
    );
  if (found) return found;
  throw failure(
    `You may not log in on ${flags.hostname}`,
    `You may on: ${hosts.map(({ hostname }) => hostname).join(', ')}`,
  );
}

async function loginUserOf(
  { flags, io }: Invocation<typeof connectFlags>,
  { loginMappings, hostname }: SshHost,
): Promise<string> {
  const users = [...new Set(loginMappings.map(({ loginUser }) => loginUser))];
  const wanted = flags['login-user'];
  if (wanted && users.includes(wanted)) return wanted;
  if (wanted) throw failure(`You may not log in as ${wanted} on ${hostname}`, `You may as: ${users.join(', ')}`);
  return users.length === 1 ? users[0]! : choose(io, 'Login user', users, (one) => one, 'pass --login-user');
}

/**
 * Has ssh trust the keys of the authority of a host that count now, for this host (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT), and none
 * that counted before. During a rotation there are several.
 */
async function trust(client: CofferClient, { id, hostname }: SshHost, io: Io): Promise<void> {
  const keys = publicKeysOf(textOf(await client.sshHosts.hostCaPublicKey.query({ sshHostId: id })));
  const wanted = keys.map((key) => {
    const [type, data] = key.split(' ');
    return `@cert-authority ${hostnameOf(hostname)} ${type} ${data} ${markOf(id)}`;
  });
  const path = join(io.env['HOME'] || homedir(), '.ssh/known_hosts');
  const isReplaced = (line: string) => !wanted.includes(line) && isOurs(line, { id, hostname });
  const before = linesOf(readIfThere(path));
  // Nothing is written where nothing changes: the home directory may be read-only.
  if (wanted.every((line) => before.includes(line)) && !before.some(isReplaced)) return;
  makePrivateDirectory(dirname(path));
  const lock = join(configDirectory(io.env), 'known_hosts.lock');
  const isAdded = await withLock(lock, () => replaceLines(path, wanted, isReplaced));
  if (isAdded) io.say('info', `ssh trusts the authority that the server names for ${hostname}: it is in ${path}`);
}

const linesOf = (text = ''): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Adds lines to a file that has other ones, too, and removes those that they replace. Returns whether any was missing. */
function replaceLines(path: string, wanted: readonly string[], isReplaced: (line: string) => boolean): boolean {
  const known = readIfThere(path) ?? '';
  const lines = linesOf(known);
  const kept = lines.filter((line) => !isReplaced(line));
  const added = wanted.filter((line) => !lines.includes(line));
  if (kept.length < lines.length) {
    const place = realpathSync(path);
    writeWhole(place, [...kept, ...added, ''].join('\n'), { mode: statSync(place).mode & 0o777 });
  } else if (added.length > 0) {
    appendFileSync(path, `${known && !known.endsWith('\n') ? '\n' : ''}${added.join('\n')}\n`, { mode: 0o600 });
  }
  return added.length > 0;
}

const MARK = 'coffer:';

/** The comment of the lines that are Coffer's own. */
const markOf = (hostId: string): string => `${MARK}${encodeURIComponent(hostId)}`;

const BARE_KEY = /^(?:ssh|ecdsa|sk)-\S+ AAAA\S+$/;

/**
 * Whether a line was written here for a host, or for one that had its name before. Earlier releases have left out the mark, and the
 * host before the second key.
 */
const isOurs = (line: string, { id, hostname }: Pick<SshHost, 'id' | 'hostname'>): boolean => {
  const [marker, host, , , comment = MARK, ...more] = line.split(' ');
  if (marker !== '@cert-authority') return BARE_KEY.test(line);
  return more.length === 0 && comment.startsWith(MARK) && (host === hostname || comment === markOf(id));
};

/** The text of an answer that is no JSON. */
export const textOf = ({ body }: { readonly body: string }): string => Buffer.from(body, 'base64').toString();
