import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

const STRANGERS = 10;
const SIZE = 1_000_000;

let test: TestServer;
let port: number;
const sockets = new Set<Socket>();
const accepted: Socket[] = [];
beforeAll(async () => {
  test = await testServer({}, { concurrency: 1, strangers: { maxUnfinished: STRANGERS } });
  test.app.server.on('connection', (socket: Socket) => accepted.push(socket));
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = test.app.server.address() as AddressInfo);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
});
afterAll(() => test.close());

/** A login with the beginning of a body; its status. */
const send = (framing: string, body: string): Promise<number> => begin(framing, body).status;

function begin(framing: string, body: string): { socket: Socket; status: Promise<number> } {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.add(socket);
  socket.on('error', () => undefined);
  const lines = [
    'POST /api/v1/auth/universal-auth/login HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
  ];
  socket.write([...lines, framing, '', body].join('\r\n'));
  const status = new Promise<number>((resolve) => {
    socket.once('data', (data: Buffer) => resolve(Number(data.toString('latin1').slice(9, 12))));
    socket.once('close', () => resolve(0));
  });
  return { socket, status };
}

/** Lists that wait for the database. */
async function waitingLists(): Promise<number> {
  const { rows } = await test.owner.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_locks where not granted and relation = 'secrets'::regclass`,
  );
  return rows[0]!.waiting;
}

/** While the only place of the server is taken. */
async function whileBusy(work: () => Promise<void>): Promise<void> {
  const { id } = await test.project();
  const client = await test.owner.connect();
  await client.query('begin');
  await client.query('lock table secrets in access exclusive mode');
  const list = test.admin('GET', `/api/v4/secrets?projectId=${id}&environment=dev&secretPath=/`);
  try {
    await expect.poll(waitingLists).toBe(1);
    await work();
  } finally {
    await client.query('rollback');
    client.release();
    await list;
  }
}

it('attack: bodies of strangers that wait for their turn are few from one address, unless they are small', async () => {
  const answered: number[] = [];
  const ask = (framing: string, body: string) => void send(framing, body).then((status) => answered.push(status));
  await whileBusy(async () => {
    for (let n = 0; n < STRANGERS; n++)
      if (n % 2 === 0) ask('Transfer-Encoding: chunked', '5\r\n12345\r\n');
      else ask(`Content-Length: ${SIZE}`, '{');
    await expect.poll(() => test.app.traffic.inFlight).toBe(STRANGERS + 1);
    expect(await send('Transfer-Encoding: chunked', '5\r\n12345\r\n')).toBe(429);
    expect(await send(`Content-Length: ${SIZE}`, '{')).toBe(429);
    ask('Content-Length: 2', '{}');
    await expect.poll(() => test.app.traffic.inFlight).toBe(STRANGERS + 2);
    expect(answered).toEqual([]);
  });
  // What is too large for a login is refused when it is its turn, and the small one read.
  await expect.poll(() => answered.length).toBeGreaterThan(STRANGERS / 2);
  expect(answered).not.toContain(429);
});

it('a body that arrives while others have the place of its request is answered in its turn, like any other', async () => {
  const body = JSON.stringify({ clientId: 'nobody', clientSecret: 'nothing' });
  await expect.poll(() => test.app.traffic.inFlight).toBe(0);
  const upload = begin(`Content-Length: ${body.length}`, body.slice(0, 1));
  await expect.poll(() => test.app.traffic.inFlight).toBe(1);
  const { bytesRead } = accepted.at(-1)!;
  // The list gets the place of the upload.
  await whileBusy(async () => {
    upload.socket.write(body.slice(1));
    await expect.poll(() => accepted.at(-1)!.bytesRead).toBe(bytesRead + body.length - 1);
  });
  expect(await upload.status).toBe(401);
});
