import { chmod, chown, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import type { Home } from './home.ts';
import { run, type Identity, type Ids } from './program.ts';

const ourselves: Identity = { ids: {}, prefix: [] };

/**
 * As an ordinary user: that user. As root, the first of these that can enter the directory:
 * 1. the server user, with the user id dropped by spawn: the usual case;
 * 2. root's own files seen from a user namespace, where root has another name: for directories that only root may
 *    enter, such as those below /root;
 * 3. the server user, keeping the one capability to pass by file permissions: the same, in containers that allow no
 *    user namespaces.
 */
export async function chooseIdentity(home: Home): Promise<Identity> {
  if (process.getuid?.() !== 0) return isNamed() ? ourselves : ((await unnamed(home)) ?? ourselves);

  const user = await serverUser(home);
  const dropped: Identity = { owner: user, ids: user, prefix: [] };
  if (await canEnter(dropped, home.directory)) return dropped;
  if ((await letGroupPass(dropped, user, home.directory)) && (await canEnter(dropped, home.directory))) return dropped;
  for (const candidate of [inNamespace(user, { uid: 0, gid: 0 }), withCapability(user)]) {
    if (await canEnter(candidate, home.directory)) return candidate;
  }
  throw new EmbeddedPostgresError(
    'unwritable',
    `PostgreSQL does not run as root, and user ${user.uid} may not enter ${home.directory}: ` +
      'choose a directory that is not below a private one (such as /var/lib/coffer), or start as an ordinary user',
  );
}

/**
 * The owner of the cluster or its directory, if that user has a name; otherwise `postgres`, otherwise `nobody`. The
 * owner first, so that one start as root does not lock the ordinary user out.
 */
async function serverUser(home: Home): Promise<Ids> {
  const { uid } = await stat(home.cluster).catch(() => stat(home.directory));
  for (const name of [...(uid === 0 ? [] : [String(uid)]), 'postgres', 'nobody']) {
    const user = await lookUp(name);
    if (user) return user;
  }
  throw new EmbeddedPostgresError(
    'unsupported_platform',
    'PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody: ' +
      'add one, or start as an ordinary user',
  );
}

async function lookUp(name: string): Promise<Ids | undefined> {
  const [uid, gid] = await Promise.all([run(ourselves, 'id', ['-u', name]), run(ourselves, 'id', ['-g', name])]);
  const ids = { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  return uid.code === 0 && gid.code === 0 && ids.uid > 0 ? ids : undefined;
}

async function canEnter(identity: Identity, directory: string): Promise<boolean> {
  return (await run(identity, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory])).code === 0;
}

/**
 * A private directory of root (0700) becomes accessible to the server's group (0710): the server can access its cluster
 * inside, but neither list nor change other contents, such as a root key.
 */
async function letGroupPass(identity: Identity, user: Ids, directory: string): Promise<boolean> {
  const { uid, mode } = await stat(directory);
  const groupHasNothing = (mode & 0o070) === 0;
  if (uid !== 0 || !groupHasNothing || !(await canEnter(identity, dirname(directory)))) return false;
  await chown(directory, 0, user.gid);
  await chmod(directory, (mode & 0o707) | 0o010);
  return true;
}

function inNamespace(as: Ids, owner?: Ids): Identity {
  return { owner, ids: {}, prefix: ['unshare', '--user', `--map-user=${as.uid}`, `--map-group=${as.gid}`, '--'] };
}

function withCapability(user: Ids): Identity {
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  // no_setuid_fixup: without it access(2), which initdb uses, ignores the capability.
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return { owner: user, ids: {}, prefix: ['setpriv', ...ids, ...capability, '--'] };
}

/** initdb rejects a user ID without a name, which is common in containers: a namespace can provide one. */
async function unnamed(home: Home): Promise<Identity | undefined> {
  const lent = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (!lent) return undefined;
  const candidate = inNamespace(lent);
  return (await canEnter(candidate, home.directory)) ? candidate : undefined;
}

function isNamed(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}
