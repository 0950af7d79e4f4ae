import { connect, type Socket } from 'node:net';
import type { Login } from '../../../outbound/testing/server-process.ts';

/** An authenticated client of RabbitMQ. */
export interface AmqpSession {
  /** Resolves when the server ends it. */
  readonly ended: Promise<void>;
  /** Whether a queue of this name may be made. */
  declares(queue: string): Promise<boolean>;
  close(): void;
}

const short = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
const long = (bytes: string | Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(bytes));
  return Buffer.concat([length, Buffer.from(bytes)]);
};
const FIELD = { table: Buffer.from('F'), yes: Buffer.from('t\u0001') };
/** So that the server reports a rejection immediately. */
const CAPABILITIES = Buffer.concat([short('authentication_failure_close'), FIELD.yes]);
const PROPERTIES = Buffer.concat([short('capabilities'), FIELD.table, long(CAPABILITIES)]);

/** 10 channels, frames of 128 KiB, no heartbeats. */
const LIMITS = Buffer.from([0, 10, 0, 2, 0, 0, 0, 0]);

/** AMQP 0-9-1, as far as logging in and declaring a queue. `undefined` if the server rejects it. */
export async function logInByAmqp(
  to: Login & { readonly port: number; readonly virtualHost: string },
): Promise<AmqpSession | undefined> {
  const socket = connect(to.port, '127.0.0.1').on('error', () => undefined);
  const methods = methodsOf(socket);
  /** Sends a method and returns the class and number of the reply. */
  const call = async (channel: number, method: [number, number], ...args: Buffer[]): Promise<string> => {
    socket.write(frame(channel, method, args));
    return (await methods.next()).value ?? '';
  };
  socket.write(Buffer.from([65, 77, 81, 80, 0, 0, 9, 1]));
  await methods.next();
  const plain = `\0${to.username}\0${to.password}`;
  const tune = await call(0, [10, 11], long(PROPERTIES), short('PLAIN'), long(plain), short('en_US'));
  if (tune === '10.30') socket.write(frame(0, [10, 31], [LIMITS]));
  const open = tune === '10.30' && (await call(0, [10, 40], short(to.virtualHost), short(''), Buffer.from([0])));
  if (open !== '10.41') {
    socket.destroy();
    return undefined;
  }
  let channel = 0;
  return {
    get ended() {
      return endOf(methods);
    },
    async declares(queue) {
      channel++;
      await call(channel, [20, 10], short(''));
      const exclusive = Buffer.from([4]);
      return (await call(channel, [50, 10], Buffer.alloc(2), short(queue), exclusive, Buffer.alloc(4))) === '50.11';
    },
    close: () => void socket.destroy(),
  };
}

function frame(channel: number, method: readonly number[], args: readonly Buffer[]): Buffer {
  const payload = Buffer.concat([Buffer.from([0, method[0]!, 0, method[1]!]), ...args]);
  const header = Buffer.alloc(7);
  header.writeUInt8(1);
  header.writeUInt16BE(channel, 1);
  header.writeUInt32BE(payload.length, 3);
  return Buffer.concat([header, payload, Buffer.from([0xce])]);
}

async function endOf(methods: AsyncGenerator<string, undefined>): Promise<void> {
  while (!(await methods.next()).done);
}

/** The methods that arrive, as `10.30`, until the connection ends. */
async function* methodsOf(socket: Socket): AsyncGenerator<string, undefined> {
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 7 && rest.length >= 8 + rest.readUInt32BE(3)) {
        const [type, length] = [rest[0], rest.readUInt32BE(3)];
        if (type === 1) yield `${rest.readUInt16BE(7)}.${rest.readUInt16BE(9)}`;
        rest = rest.subarray(8 + length);
      }
    }
  } catch {
    // It ended without a word.
  }
  return undefined;
}
