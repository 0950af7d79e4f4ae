import { createOutbound, parseCidrs } from '@coffer/domain';
import { openGate, type Gate } from '@coffer/domain/testing';
import { Client } from 'pg';
import { testServer, type TestServer } from './test-server.ts';

/** A server whose own PostgreSQL is also the target of its dynamic secrets, behind a gate. */
export interface PostgresTarget {
  readonly test: TestServer;
  readonly gate: Gate;
  /** Inputs that work. */
  inputs(): Record<string, unknown>;
  /** Whether a leased login works. */
  works(data: Record<string, string>): Promise<boolean>;
  /** The existing logins of dynamic secrets. */
  logins(): Promise<string[]>;
  close(): Promise<void>;
}

/** Names of leased logins begin so: the PostgreSQL server is shared with other tests. */
let number = 0;

export async function postgresTarget(options: Parameters<typeof testServer>[0] = {}): Promise<PostgresTarget> {
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  const test = await testServer({ connect: outbound.connect, ...options });
  const url = new URL(test.databaseUrl);
  const gate = await openGate({ port: Number(url.port) });
  const mark = `${url.pathname.slice(-8)}${number++}`;
  const database = url.pathname.slice(1);
  return {
    test,
    gate,
    inputs: () => ({
      client: 'postgres',
      host: gate.host,
      port: gate.port,
      database,
      username: url.username,
      password: decodeURIComponent(url.password),
      creationStatement: `create role "{{username}}" login password '{{password}}' valid until '{{expiration}}'; comment on role "{{username}}" is '${mark}'`,
      revocationStatement: 'drop role "{{username}}"',
      renewStatement: `alter role "{{username}}" valid until '{{expiration}}'`,
    }),
    async works({ DB_USERNAME: user, DB_PASSWORD: password }) {
      const client = new Client({ host: url.hostname, port: Number(url.port), database, user, password });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('select 1');
        return true;
      } catch {
        return false;
      } finally {
        await client.end();
      }
    },
    async logins() {
      const { rows } = await test.coffer.pool.query<{ name: string }>(
        `select rolname as name from pg_roles where shobj_description(oid, 'pg_authid') = $1 order by 1`,
        [mark],
      );
      return rows.map(({ name }) => name);
    },
    async close() {
      await gate.open();
      await test.close();
      await gate.close();
      await outbound.close();
    },
  };
}
