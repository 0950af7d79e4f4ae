import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { failure } from '../exit.ts';
import { makePrivateDirectory } from '../files.ts';

/** The longest path of a socket, in bytes (unix(7)). */
const LONGEST = 100;

/**
 * Listens on a socket of which only one process at a time has the name: it is the lock of an agent, too. A socket that a killed
 * process has left behind is replaced.
 *
 * @throws CommandError if another process listens there.
 */
export async function takeSocket(path: string, listener: RequestListener): Promise<Server> {
  if (Buffer.byteLength(path) > LONGEST)
    throw failure(`The path of the socket ${path} is longer than ${LONGEST} bytes`, 'Set a shorter state-directory');
  makePrivateDirectory(dirname(path), 'Set state-directory');
  const temporary = `${path}.${randomBytes(3).toString('hex')}`;
  const server = createServer(listener);
  const mask = process.umask(0o177);
  try {
    await listen(server, temporary);
  } finally {
    process.umask(mask);
  }
  try {
    await name(temporary, path);
  } catch (error) {
    server.close();
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  await removeLeftovers(path);
  return server;
}

/** Removes temporary names of killed processes: nobody listens there. */
async function removeLeftovers(path: string): Promise<void> {
  for (const file of readdirSync(dirname(path))) {
    const isTemporary = file.startsWith(`${basename(path)}.`) && /\.[\da-f]{6}$/.test(file);
    const one = join(dirname(path), file);
    if (isTemporary && !(await isAnswered(one))) rmSync(one, { force: true });
  }
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(failure(`The socket ${path} cannot be made (${error.code})`, 'Set state-directory')),
    );
    server.listen(path, resolve);
  });

/** Gives the socket its name, which fails while somebody has it. */
async function name(temporary: string, path: string): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      return linkSync(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isAnswered(path)) break;
    takeAway(path);
  }
  throw failure(`Another agent runs with this configuration (${path})`);
}

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(true));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
    socket.once('connect', () => socket.destroy());
  });

/** Removes what nobody listens on; another process may have put its own there at the same moment, which goes back. */
function takeAway(path: string): void {
  const aside = `${path}.${randomBytes(3).toString('hex')}`;
  try {
    const { ino } = statSync(path);
    renameSync(path, aside);
    if (statSync(aside).ino !== ino) linkSync(aside, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  rmSync(aside, { force: true });
}
