import { createServer, type AddressInfo, type Server } from 'node:net';
import { createOutbound, parseCidrs } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

/** What a database of the attacker answers to a login: a message of PostgreSQL without its content. */
const ANSWER = Buffer.from('R\0\0\0\x04', 'latin1');
const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });

let test: TestServer;
let database: Server;
beforeAll(async () => {
  test = await testServer({ fetch: outbound.fetch, connect: outbound.connect });
  database = createServer((socket) => socket.on('error', () => undefined).on('data', () => socket.end(ANSWER)));
  await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await test.close();
  database.close();
  await outbound.close();
});

const connect = (app: string, method: string, credentials: object) =>
  test.admin('POST', `/api/v1/app-connections/${app}`, { name: 'mine', method, credentials });

describe('attack: a connection to a system of the attacker', () => {
  it('does not end the process by what a database should not answer', async () => {
    const { port } = database.address() as AddressInfo;
    const login = { host: '127.0.0.1', port, database: 'd', username: 'u', password: 'a-password', sslEnabled: false };
    const { status } = await connect('postgres', 'username-and-password', login);
    expect(status).toBe(400);
    expect((await test.admin('GET', '/api/v1/app-connections')).status).toBe(200);
  });

  it.each(['server:99999', '1.2.3.256', '[', 'https://[', 'https://server:99999', 'https://%'])(
    'causes no internal error by an address that cannot be one: %s',
    async (address) => {
      for (const field of ['host', 'instanceUrl'])
        expect((await connect('github', 'pat', { personalAccessToken: 'a-token', [field]: address })).status).toBe(422);
    },
  );
});
