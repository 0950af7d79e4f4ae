import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCofferClient, type CofferClientOptions, type Outputs } from './index.ts';
import { data, event, failure, standIn, type Answering, type StandIn } from './testing/stand-in.ts';

let server: StandIn;
beforeEach(async () => {
  server = await standIn();
});
afterEach(() => server.close());

type StreamItem = Outputs['secretEvents']['watch'];
const input = { projectId: 'p', register: [{ event: 'secret:create' as const }] };
const watch = (signal?: AbortSignal, options: Partial<CofferClientOptions> = {}) =>
  createCofferClient({ url: server.url, token: 'tok-1', retries: 0, ...options }).secretEvents.watch.subscribe(
    input,
    signal && { signal },
  );

/** The first events, up to a number. */
async function first(count: number, told: AsyncIterable<StreamItem>): Promise<[string, unknown][]> {
  const found: [string, unknown][] = [];
  for await (const { id, data: what } of told) if (found.push([id, what]) === count) break;
  return found;
}

const CONNECTED = 'event: connected\ndata: {}\n\n\n';
const PING = 'event: ping\ndata: \n\n\n';
const refusal = (status: number, code: string, reason: string) => {
  const [{ error }] = failure(status, code, reason).body as [{ error: object }];
  return `event: serialized-error\ndata: ${JSON.stringify(error)}\n\n\n`;
};
async function* forever(...frames: string[]) {
  yield* frames;
  await new Promise(() => undefined);
}
/** One response for each connection; the last one for all later ones. */
const oneAfterTheOther =
  (...answers: (readonly string[] | undefined)[]): Answering =>
  () => {
    const frames = answers.length > 1 ? answers.shift() : answers[0];
    return frames && { frames };
  };

describe('a subscription', () => {
  it('subscribes with the token, and yields each event with its ID', async () => {
    server.answer(() => ({ frames: forever(CONNECTED, event(3, null), PING, event(4, { a: 1 }), event(5, { b: 2 })) }));
    expect(await first(3, watch())).toEqual([
      ['3', null],
      ['4', { a: 1 }],
      ['5', { b: 2 }],
    ]);
    expect(server.received).toMatchObject([
      {
        method: 'GET',
        path: 'secretEvents.watch',
        isBatch: false,
        input,
        headers: { authorization: 'Bearer tok-1', accept: 'text/event-stream' },
      },
    ]);
  });

  it('sends nothing before it is read, and closes the connection when it is no longer', async () => {
    let isClosed = false;
    const frames = async function* () {
      try {
        for (let id = 1; ; id++) {
          yield event(id, null);
          await new Promise((next) => setTimeout(next, 5));
        }
      } finally {
        isClosed = true;
      }
    };
    server.answer(() => ({ frames: frames() }));
    const told = watch();
    expect(server.received).toEqual([]);
    await first(1, told);
    await expect.poll(() => isClosed).toBe(true);
  });

  it('continues after a broken connection, also in the middle of a frame', async () => {
    const half = event(2, { b: 2 }).slice(0, 9);
    server.answer(oneAfterTheOther([event(1, { a: 1 }), half], undefined, [event(2, { b: 2 })]));
    expect(await first(2, watch())).toEqual([
      ['1', { a: 1 }],
      ['2', { b: 2 }],
    ]);
    expect(server.received.map(({ input: sent }) => sent)).toEqual([
      input,
      { ...input, lastEventId: '1' },
      { ...input, lastEventId: '1' },
    ]);
  });

  it('continues after a short outage of the server', async () => {
    const away = refusal(503, 'SERVICE_UNAVAILABLE', 'server.stopping');
    server.answer(oneAfterTheOther([event(1, null), away], [event(2, null)]));
    expect((await first(2, watch())).map(([id]) => id)).toEqual(['1', '2']);
  });

  it('ends when the server ends it', async () => {
    server.answer(oneAfterTheOther([event(1, null), 'event: return\ndata: \n\n\n']));
    expect(await first(9, watch())).toEqual([['1', null]]);
    expect(server.received).toHaveLength(1);
  });

  it('is rejected with the error of the server', async () => {
    server.answer(() => ({ frames: [CONNECTED, refusal(404, 'NOT_FOUND', 'project.not_found')] }));
    await expect(first(1, watch())).rejects.toMatchObject({ status: 404, reason: 'project.not_found' });
    server.answer(() => ({ frames: [event(1, null), refusal(403, 'FORBIDDEN', 'access.denied')] }));
    await expect(first(2, watch())).rejects.toMatchObject({ status: 403 });
    const [body] = failure(429, 'TOO_MANY_REQUESTS', 'rate.limited').body as [object];
    server.answer(() => ({ status: 429, headers: { 'retry-after': '7' }, body }));
    await expect(first(1, watch())).rejects.toMatchObject({ status: 429, retryAfter: 7 });
    server.answer(() => ({ body: '<html>' }));
    await expect(first(1, watch())).rejects.toMatchObject({ reason: 'client.not_coffer' });
    server.answer(() => data('no stream'));
    await expect(first(1, watch())).rejects.toMatchObject({ reason: 'client.not_coffer' });
    server.answer(() => undefined);
    await expect(first(1, watch())).rejects.toMatchObject({ reason: 'client.unreachable' });
  });

  it('is retried as often as a query if it was never open', async () => {
    server.answer(oneAfterTheOther(undefined, undefined, [event(1, null)]));
    await expect(first(1, watch(undefined, { retries: 1 }))).rejects.toMatchObject({ reason: 'client.unreachable' });
    expect(server.received).toHaveLength(2);
    expect(await first(1, watch(undefined, { retries: 1 }))).toEqual([['1', null]]);
  });

  it('is not waited for longer than a call', async () => {
    server.answer(() => new Promise(() => undefined));
    await expect(first(1, watch(undefined, { timeoutMs: 50 }))).rejects.toMatchObject({ reason: 'client.timeout' });
  });

  it('ends with its signal, during any wait', async () => {
    const reason = new Error('enough');
    // For an answer, for a second event, and for the time of another try.
    const answers: [answer: Answering, requests: number, events: number][] = [
      [() => new Promise(() => undefined), 1, 0],
      [() => ({ frames: forever(event(1, null)) }), 1, 1],
      [oneAfterTheOther([event(1, null)], undefined), 2, 1],
    ];
    for (const [answer, requests, events] of answers) {
      server.answer(answer);
      const before = server.received.length;
      const ending = new AbortController();
      let told = 0;
      const reading = (async () => {
        for await (const _ of watch(ending.signal)) told++;
      })();
      const ended = reading.catch((error: unknown) => error);
      await expect.poll(() => server.received.length - before).toBeGreaterThanOrEqual(requests);
      await expect.poll(() => told).toBe(events);
      ending.abort(reason);
      expect(await ended).toBe(reason);
    }
    await expect(first(1, watch(AbortSignal.abort(reason)))).rejects.toBe(reason);
  });

  it('logs in again when its token expires', async () => {
    const auth = { clientId: 'id', clientSecret: 'hunter2' };
    let logins = 0;
    const ended = refusal(401, 'UNAUTHORIZED', 'auth.token');
    server.answer(({ path, headers }) => {
      if (path.endsWith('/login')) return { body: { accessToken: `tok-${++logins}`, expiresIn: 3600 } };
      return headers.authorization === 'Bearer tok-1'
        ? { frames: [event(1, null), ended] }
        : { frames: forever(event(2, null)) };
    });
    expect(await first(2, watch(undefined, { token: undefined, auth }))).toEqual([
      ['1', null],
      ['2', null],
    ]);
    expect(logins).toBe(2);
    server.answer(({ path }) =>
      path.endsWith('/login') ? { body: { accessToken: 'tok-9', expiresIn: 3600 } } : { frames: [ended] },
    );
    await expect(first(1, watch(undefined, { token: undefined, auth }))).rejects.toMatchObject({ status: 401 });
    expect(server.received.filter(({ path }) => path === 'secretEvents.watch')).toHaveLength(4);
  });
});
