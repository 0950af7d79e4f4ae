import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

// The wire of SQL Server as far as the stand-in needs it: packets, the login and tokens of answers.
// https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-tds

export const PACKET = { batch: 1, reply: 4, login: 16, prelogin: 18 } as const;
const HEADER = 8;
const LAST = 1;
const MAX_PACKET = 4096;

/** One message in packets. */
export function packets(type: number, payload: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < payload.length; at += MAX_PACKET - HEADER) {
    const part = payload.subarray(at, at + MAX_PACKET - HEADER);
    const header = Buffer.alloc(HEADER);
    header.writeUInt8(type, 0);
    header.writeUInt8(at + part.length >= payload.length ? LAST : 0, 1);
    header.writeUInt16BE(HEADER + part.length, 2);
    header.writeUInt8(1, 6);
    parts.push(header, part);
  }
  return Buffer.concat(parts);
}

export interface TdsMessage {
  readonly type: number;
  readonly payload: Buffer;
  /** Whether the session is reset before it is read. */
  readonly resets: boolean;
}

/** Puts packets together. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);
  #payload: Buffer[] = [];

  *read(chunk: Buffer): Generator<TdsMessage> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= HEADER) {
      const length = this.#rest.readUInt16BE(2);
      if (this.#rest.length < length) return;
      const [type, status] = [this.#rest[0]!, this.#rest[1]!];
      this.#payload.push(this.#rest.subarray(HEADER, length));
      this.#rest = this.#rest.subarray(length);
      if (!(status & LAST)) continue;
      const payload = Buffer.concat(this.#payload);
      this.#payload = [];
      yield { type, payload, resets: (status & 8) !== 0 };
    }
  }
}

/** The handshake of TLS travels in packets of the greeting; what follows is not wrapped any more. */
export class WrappedTls extends Duplex {
  isWrapped = true;
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
  }
  override _write(chunk: Buffer, _encoding: unknown, next: () => void): void {
    this.#socket.write(this.isWrapped ? packets(PACKET.prelogin, chunk) : chunk);
    next();
  }
  override _read(): void {}
}

/** PRELOGIN: a version, and what the server says of encryption: 0 off, 1 on, 2 not supported, 3 required. */
export function prelogin(encryption: number): Buffer {
  const options = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff]);
  return Buffer.concat([options, Buffer.from([16, 0, 0x10, 0, 0, 0]), Buffer.from([encryption])]);
}

/** What a client says of encryption. */
export function encryptionOf(payload: Buffer): number {
  for (let at = 0; payload[at] !== 0xff; at += 5) if (payload[at] === 1) return payload[payload.readUInt16BE(at + 1)]!;
  throw new Error('PRELOGIN has no ENCRYPTION');
}

/** The fields of LOGIN7. A password is obfuscated: each byte with its halves swapped, and then XOR 0xA5. */
export function loginOf(payload: Buffer): {
  username: string;
  password: string;
  application: string;
  database: string;
} {
  const field = (at: number, change = (bytes: Buffer) => bytes) => {
    const [offset, length] = [payload.readUInt16LE(at), payload.readUInt16LE(at + 2)];
    return change(Buffer.from(payload.subarray(offset, offset + 2 * length))).toString('utf16le');
  };
  const plain = (bytes: Buffer) => bytes.map((byte) => (((byte ^ 0xa5) << 4) | ((byte ^ 0xa5) >> 4)) & 0xff) as Buffer;
  if (payload.readUInt32LE(0) !== payload.length) throw new Error('LOGIN7 has another length');
  return {
    username: field(40),
    password: field(44, (bytes) => Buffer.from(plain(bytes))),
    application: field(48),
    database: field(68),
  };
}

/** The text of a batch, after its headers. */
export const textOf = (payload: Buffer): string => payload.subarray(payload.readUInt32LE(0)).toString('utf16le');

const short = (text: string) => Buffer.concat([Buffer.of(text.length), Buffer.from(text, 'utf16le')]);
const long = (text: string) => {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  return Buffer.concat([length, Buffer.from(text, 'utf16le')]);
};
const token = (type: number, content: Buffer) => {
  const head = Buffer.alloc(3);
  head.writeUInt8(type);
  head.writeUInt16LE(content.length, 1);
  return Buffer.concat([head, content]);
};
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};

export const loginAck = (): Buffer =>
  token(0xad, Buffer.concat([Buffer.of(1, 0x74, 0, 0, 4), short('Microsoft SQL Server'), Buffer.of(16, 0, 0x10, 0)]));

/** Names another server to go on with. */
export function routing(host: string, port: number): Buffer {
  const name = long(host);
  const value = Buffer.concat([Buffer.of(0, port & 0xff, port >> 8), name]);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(value.length);
  return token(0xe3, Buffer.concat([Buffer.of(20), length, value, Buffer.of(0, 0)]));
}

export function errorToken(number: number, message: string): Buffer {
  return token(
    0xaa,
    Buffer.concat([u32(number), Buffer.of(1, 16), long(message), short('standin'), short(''), u32(1)]),
  );
}

/** One column of integers without a name, and its rows. */
export function rows(values: readonly number[]): Buffer {
  const column = Buffer.concat([Buffer.of(0x81, 1, 0), u32(0), Buffer.of(0, 0, 0x38), short('')]);
  return Buffer.concat([column, ...values.map((value) => Buffer.concat([Buffer.of(0xd1), u32(value)]))]);
}

export function done({ isError = false } = {}): Buffer {
  return Buffer.concat([Buffer.of(0xfd, isError ? 2 : 0, 0, 0, 0), Buffer.alloc(8)]);
}
