import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Readiness } from '../../src/http/probes.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
const lines: object[] = [];
beforeAll(async () => {
  const hear = (line: object) => void lines.push(line);
  const logger = { debug: hear, info: hear, warn: () => undefined, error: hear };
  test = await testServer({ settings: { callLimit: 3 } }, { concurrency: 1, logger });
});
afterAll(() => test.close());

const probe = async (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET', host = 'localhost') => {
  const { statusCode: status, body, headers } = await test.app.inject({ method, url, headers: { host } });
  return { status, body, caching: headers['cache-control'] };
};
const statuses = async () => [(await probe('/livez')).status, (await probe('/readyz')).status];

describe('/livez and /readyz', () => {
  it('answer any host and any number of probes, without a line in the log', async () => {
    for (let i = 0; i < 5; i++)
      for (const url of ['/livez', '/readyz'])
        expect(await probe(url, 'GET', '10.1.2.3:8080')).toEqual({ status: 200, body: 'ok\n', caching: 'no-store' });
    expect((await probe('/readyz', 'HEAD')).status).toBe(200);
    expect((await probe('/readyz', 'POST')).status).toBe(404);
    expect(lines.filter((line) => 'route' in line && /livez|readyz/.test(String(line.route)))).toEqual([]);
  });

  it('answer requests whose bodies do not come', async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as { port: number };
    const answers = ['/livez', '/readyz'].map((url) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 100\r\n\r\nabc`);
      return text(socket);
    });
    const ok = expect.stringMatching(/^HTTP\/1\.1 200 [^]*ok\n$/) as string;
    expect(await Promise.all(answers)).toEqual([ok, ok]);
  });

  it('answer while requests have all places', async () => {
    const client = await test.owner.connect();
    await client.query('begin; lock table instance');
    const stuck = test.as()('GET', '/api/status');
    await expect.poll(() => test.app.traffic.inFlight).toBe(1);
    expect(await statuses()).toEqual([200, 200]);
    await client.query('rollback');
    client.release();
    expect((await stuck).status).toBe(200);
  });

  it('differ while the database is lost: the process is live, and ready again with the database', async () => {
    const name = new URL(test.databaseUrl).pathname.slice(1);
    const elsewhere = new Client({ connectionString: process.env['COFFER_TEST_DATABASE_URL'] });
    await elsewhere.connect();
    await elsewhere.query(`alter database ${name} with allow_connections false`);
    await elsewhere.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename <> current_user',
      [name],
    );
    await expect.poll(statuses).toEqual([200, 503]);
    expect((await probe('/readyz')).body).toContain('database');
    await elsewhere.query(`alter database ${name} with allow_connections true`);
    await elsewhere.end();
    await expect.poll(statuses).toEqual([200, 200]);
  });
});

describe('readiness', () => {
  it('asks the database once for probes that come together, and not at all when the process stops', async () => {
    let asked = 0;
    const readiness = new Readiness(async () => void asked++);
    expect(await Promise.all([readiness.obstacle(), readiness.obstacle()])).toEqual([undefined, undefined]);
    expect(asked).toBe(1);
    readiness.leave();
    expect(await readiness.obstacle()).toContain('stopping');
    expect(asked).toBe(1);
  });
});
