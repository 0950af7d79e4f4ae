import fc from 'fast-check';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { Configuration } from '../../../family/index.ts';
import { CallerLimiter, DEFAULT_SETTINGS, DomainError, parseCidrs, type Context } from '../../../kernel/index.ts';
import { createOutbound } from '../../../outbound/index.ts';
import { createTargets } from '../../../outbound/targets.ts';
import { serveRaw } from '../../../outbound/testing/servers.ts';
import { longestTurn, MAX_TURN } from '../../../testing/processor-time.ts';
import { callProvider } from '../call.ts';
import type { AnyProvider } from '../provider.ts';

/** The valid replies of a target: on connecting, and then to each request. */
export type Dialog = readonly (string | Buffer)[];

/** A provider with misbehaving targets. */
export interface MalformedCase {
  readonly provider: AnyProvider;
  /** Inputs that lead to this port of 127.0.0.1; their `password` is `THE_CREDENTIAL`. */
  readonly inputs: (port: number) => Record<string, unknown>;
  /** Malformed replies follow each of them. */
  readonly dialogs: readonly Dialog[];
  /** Dialogs that end with megabytes of the shortest parts that the protocol has. */
  readonly dense?: readonly Dialog[] | undefined;
}

export const THE_CREDENTIAL = 'correct-horse-battery';

/** Checks the credential of these inputs with a deadline in milliseconds, and returns the error, if any. */
export async function failureOf(provider: AnyProvider, given: Record<string, unknown>, timeMs: number) {
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  const targets = createTargets();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const largeAnswers = new CallerLimiter(2);
  const base = { targets, largeAnswers, actor: {}, log, settings: DEFAULT_SETTINGS, now: () => new Date() };
  const ctx = { ...outbound, ...base } as unknown as Context;
  const called = { organizationId: 'nobody', provider, inputs: provider.inputs.parse(given) as Configuration };
  const answer = callProvider(ctx, called, (inputs, io) => provider.check(inputs, io), { timeMs });
  const failure = await answer.then(
    () => undefined,
    (error: Error) => error,
  );
  await targets.close();
  await outbound.close();
  if (failure === undefined) return undefined;
  if (!(failure instanceof DomainError)) throw failure;
  expect([failure.kind, failure.message]).toEqual(['bad_request', expect.not.stringContaining(THE_CREDENTIAL)]);
  return failure;
}

/** Has a valid dialog on a socket, and then sends malformed replies, again after each request. */
function converse(socket: Socket, dialog: Dialog, lie: () => void): void {
  let turn = 0;
  const take = () => {
    const said = dialog[turn++];
    if (said !== undefined) socket.write(said);
    if (turn >= dialog.length && !socket.writableEnded) lie();
  };
  socket.on('data', take);
  take();
}

/** Other octets at some places. */
const withChanges = ([said, changes]: [Buffer, [number, number][]]): Buffer => {
  const changed = Buffer.from(said);
  for (const [at, octet] of changes) changed[at % said.length] = octet;
  return changed;
};

/** A part of a message, many times. */
export const repeated = (part: Buffer | string, times: number): Buffer =>
  Buffer.alloc(Buffer.byteLength(part) * Math.floor(times), part);

/** Registers the tests of malformed replies for every provider with connections. */
export function describeMalformedAnswers({ provider, inputs, dialogs, dense = [] }: MalformedCase): void {
  const all: readonly Dialog[] = [[''], ...dialogs];
  const against = async (dialog: Dialog, lie: (socket: Socket) => void, timeMs: number) => {
    const target = await serveRaw((socket) => converse(socket, dialog, () => lie(socket)));
    return { target, failure: await failureOf(provider, inputs(target.port), timeMs) };
  };
  const closed = async (socket: Socket) =>
    socket.closed || (await new Promise((resolve) => socket.once('close', resolve)));

  it('gives up on a silent one, or one that stops, and leaves no connection to it', async () => {
    const givesUp = async (dialog: Dialog) => {
      const { target, failure } = await against(dialog, () => undefined, 400);
      expect([dialog, failure?.code]).toEqual([dialog, 'outbound.timeout']);
      expect(target.sockets.length).toBeGreaterThan(0);
      await Promise.all(target.sockets.map(closed));
    };
    await Promise.all(all.map(givesUp));
  });

  it('reports one that closes the connection', async () => {
    for (const dialog of all) {
      const { failure } = await against(dialog, (socket) => socket.end(), 5000);
      expect([dialog, failure?.message]).toEqual([
        dialog,
        expect.stringMatching(/closed the connection|as expected|does not speak/),
      ]);
    }
  });

  it('never computes for long in one turn on replies of many small parts', async () => {
    const listen = (dialog: Dialog) => against(dialog, (socket) => socket.end(), 5000);
    // Libraries are loaded, and compiled, with their first use.
    await listen(all.at(-1)!);
    for (const [place, dialog] of dense.entries()) {
      const longest = await longestTurn(() => listen(dialog));
      expect([place, longest < MAX_TURN ? 'short' : longest]).toEqual([place, 'short']);
    }
  });

  it('withstands any other data', async () => {
    const valid = fc.constantFrom(...dialogs.flat()).map((said) => Buffer.from(said));
    const noise = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 200 }).map((text) => Buffer.from(`${text}\r\n`)),
      valid,
      // Inside of a valid frame, too, parsers expect something else.
      fc.tuple(valid, fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { minLength: 1, maxLength: 3 })).map(withChanges),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), fc.array(noise, { maxLength: 4 }), async (dialog, lies) => {
        const lie = (socket: Socket) => {
          const next = lies.shift();
          if (next) socket.write(next);
          else socket.end();
          // A client that waits for more data gets nothing more.
          setTimeout(() => socket.end(), 30);
        };
        await against(dialog, lie, 2000);
      }),
      { numRuns: 80 },
    );
  });

  it('rejects an endless reply', async () => {
    const flood = Buffer.alloc(256 * 1024, 'x');
    for (const dialog of all) {
      const before = process.memoryUsage().rss;
      const pour = (socket: Socket) => {
        while (!socket.destroyed && socket.write(flood));
        socket.once('drain', () => pour(socket));
      };
      const { target, failure } = await against(dialog, pour, 1500);
      expect([dialog, failure]).toEqual([dialog, expect.any(DomainError)]);
      await Promise.all(target.sockets.map(closed));
      expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
    }
  });
}
