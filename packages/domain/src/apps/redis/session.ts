import type { OutboundConnect, PooledClient } from '../../kernel/index.ts';
import { ambiguousOutcome, lastingTo, notSpoken, rejectedBy, type SecurableServer } from '../../family/index.ts';
import { NoReply, RedisError, RespConnection, type Reply } from './resp.ts';

/** Where a Redis is, and who manages its users. */
export interface RedisServer extends SecurableServer {
  readonly username: string;
  readonly password?: string | null | undefined;
}

/** A connection of the account that manages users. Errors of Redis are thrown as `rejectedBy`. */
export interface RedisSession {
  /** Runs commands as one transaction: if one is unknown or not permitted, none is run. */
  run(commands: readonly (readonly string[])[]): Promise<void>;
  /** Whether a user with this name exists and can log in. */
  canLogIn(username: string): Promise<boolean>;
  /** Closes the connections of this name, if the managing account may do that. */
  endSessions(username: string): Promise<void>;
}

export async function openRedis(server: RedisServer, connect: OutboundConnect): Promise<PooledClient<RedisSession>> {
  const { host } = server;
  const connection = await connect(lastingTo(server));
  const { stream } = connection;
  const resp = new RespConnection(stream);
  const ask = (...commands: (readonly string[])[]): Promise<Reply[]> =>
    resp.ask(commands).catch((error: unknown) => {
      if (!(error instanceof NoReply)) throw error;
      throw (error.hasEnded ? connection.failure : undefined) ?? notSpoken(host, 'Redis');
    });
  const logIn = async () => {
    for (const reply of await ask(...greeting(server)))
      if (reply instanceof RedisError) throw rejectedBy(host, reply.message);
  };
  try {
    await logIn();
  } catch (error) {
    stream.destroy();
    throw error;
  }
  return {
    client: sessionOf(host, ask),
    isOpen: () => !stream.destroyed,
    async reset() {
      const [answer] = await ask(['RESET']);
      if (answer !== 'RESET') throw notSpoken(host, 'Redis');
      await logIn();
    },
    close: () => void stream.destroy(),
  };
}

/** Asks for the current user after login: a request also for accounts without a password. */
function greeting({ username, password }: RedisServer): string[][] {
  const isNamed = username !== '' && username !== 'default';
  const auth = isNamed ? [['AUTH', username, password ?? '']] : password ? [['AUTH', password]] : [];
  return [...auth, ['ACL', 'WHOAMI']];
}

const sessionOf = (host: string, ask: (...commands: (readonly string[])[]) => Promise<Reply[]>): RedisSession => ({
  async run(commands) {
    const replies = await ask(['MULTI'], ...commands, ['EXEC']);
    const [begun] = replies;
    // Without a transaction they would be run one by one.
    if (begun instanceof RedisError) throw ambiguousOutcome(host, begun.message);
    const refused = replies.slice(0, -1).find((reply) => reply instanceof RedisError);
    if (refused) throw rejectedBy(host, refused.message);
    const results = replies.at(-1);
    if (results instanceof RedisError) throw rejectedBy(host, results.message);
    if (!Array.isArray(results)) throw notSpoken(host, 'Redis');
    const failed = results.find((reply) => reply instanceof RedisError);
    if (failed) throw (results.length === 1 ? rejectedBy : ambiguousOutcome)(host, failed.message);
  },
  async canLogIn(username) {
    const [user] = await ask(['ACL', 'GETUSER', username]);
    if (user instanceof RedisError) throw rejectedBy(host, user.message);
    if (user === null) return false;
    const flags = Array.isArray(user) ? (user as Reply[])[user.indexOf('flags') + 1] : undefined;
    if (!Array.isArray(flags)) throw notSpoken(host, 'Redis');
    return flags.includes('on');
  },
  async endSessions(username) {
    // The managing account may lack this permission; deleting a user closes its connections anyway.
    await ask(['CLIENT', 'KILL', 'USER', username]);
  },
});
