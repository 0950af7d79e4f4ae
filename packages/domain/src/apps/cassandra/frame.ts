// Frames of the CQL binary protocol, version 4:
// https://github.com/apache/cassandra/blob/trunk/doc/native_protocol_v4.spec

export const OPCODE = {
  ...{ error: 0x00, startup: 0x01, ready: 0x02, authenticate: 0x03, query: 0x07, result: 0x08 },
  ...{ authChallenge: 0x0e, authResponse: 0x0f, authSuccess: 0x10 },
} as const;

/** Bytes. */
export const HEADER = 9;
export const REQUEST = 0x04;
export const RESPONSE = 0x84;
const ROWS = 0x0002;
const GLOBAL_TABLE = 0x01;
const MORE_PAGES = 0x02;
const NO_METADATA = 0x04;
/** Types of columns with further types in them, and with how many. */
const NESTED = new Map([
  [0x20, 1],
  [0x21, 2],
  [0x22, 1],
]);
const CUSTOM = 0x00;
const [UDT, TUPLE] = [0x30, 0x31];
/** `LOCAL_QUORUM`, as roles are replicated. */
const CONSISTENCY = 0x0006;
const MAX_COLUMNS = 100;

/** An answer that is no frame of the protocol. */
export class NoFrame extends Error {}

const short = (value: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
const int = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string) => Buffer.concat([short(Buffer.byteLength(value)), Buffer.from(value)]);

export function encodeFrame(version: number, opcode: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.of(version, 0, 0, 0, opcode), int(body.length), body]);
}

export const startupBody = (): Buffer => Buffer.concat([short(1), text('CQL_VERSION'), text('3.0.0')]);

/** Of SASL PLAIN (RFC 4616), which PasswordAuthenticator reads. */
export function credentialsBody(username: string, password: string): Buffer {
  const token = Buffer.from(`\0${username}\0${password}`);
  return Buffer.concat([int(token.length), token]);
}

export function queryBody(query: string): Buffer {
  const bytes = Buffer.from(query);
  return Buffer.concat([int(bytes.length), bytes, short(CONSISTENCY), Buffer.of(0)]);
}

/** Reads the fields of a body. @throws NoFrame at its end */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  #take(length: number): Buffer {
    if (length < 0 || this.#at + length > this.#bytes.length) throw new NoFrame();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
  int = (): number => this.#take(4).readInt32BE();
  short = (): number => this.#take(2).readUInt16BE();
  text = (): string => this.#take(this.short()).toString();
  bytes(): Buffer | null {
    const length = this.int();
    return length < 0 ? null : this.#take(length);
  }
  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }
  /** Skips the type of a column. */
  type(depth = 0): void {
    if (depth > 4) throw new NoFrame();
    const type = this.short();
    if (type === CUSTOM) this.text();
    if (type === UDT) this.text();
    if (type === UDT) this.text();
    const further = NESTED.get(type) ?? (type === UDT || type === TUPLE ? this.short() : 0);
    if (further > MAX_COLUMNS) throw new NoFrame();
    for (let i = 0; i < further; i++) {
      if (type === UDT) this.text();
      this.type(depth + 1);
    }
  }
}

/** What follows the warnings of an answer. */
export function withoutWarnings(body: Buffer): Buffer {
  const fields = new Fields(body);
  const count = fields.short();
  for (let i = 0; i < count; i++) fields.text();
  return fields.rest();
}

/** The code and the message of an error. */
export function errorOf(body: Buffer): { code: number; message: string } {
  const fields = new Fields(body);
  return { code: fields.int(), message: fields.text() };
}

/** The rows of a result by the names of their columns; none for results of other kinds. */
export function rowsOf(body: Buffer): Record<string, Buffer | null>[] {
  const fields = new Fields(body);
  if (fields.int() !== ROWS) return [];
  const flags = fields.int();
  const columns = fields.int();
  if (columns < 0 || columns > MAX_COLUMNS || flags & NO_METADATA) throw new NoFrame();
  if (flags & MORE_PAGES) fields.bytes();
  if (flags & GLOBAL_TABLE) void [fields.text(), fields.text()];
  const names = Array.from({ length: columns }, () => {
    if (!(flags & GLOBAL_TABLE)) void [fields.text(), fields.text()];
    const name = fields.text();
    fields.type();
    return name;
  });
  const count = fields.int();
  const rows: Record<string, Buffer | null>[] = [];
  // A row without columns takes no bytes.
  if (names.length === 0 && count > 0) throw new NoFrame();
  for (let i = 0; i < count; i++) rows.push(Object.fromEntries(names.map((name) => [name, fields.bytes()])));
  return rows;
}
