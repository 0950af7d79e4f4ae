import { SshError } from './error.ts';

// The data types of RFC 4251, section 5.

export function uint32(value: number): Buffer {
  const made = Buffer.allocUnsafe(4);
  made.writeUInt32BE(value);
  return made;
}

export function uint64(value: bigint): Buffer {
  const made = Buffer.allocUnsafe(8);
  made.writeBigUInt64BE(value);
  return made;
}

/** A length and these octets, one after the other. */
export function string(...parts: readonly (Uint8Array | string)[]): Buffer {
  let at = 4;
  const length = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  const made = Buffer.allocUnsafe(at + length);
  made.writeUInt32BE(length);
  for (const part of parts) {
    if (typeof part === 'string') at += made.write(part, at);
    else {
      made.set(part, at);
      at += part.length;
    }
  }
  return made;
}

const lengthOf = (part: Uint8Array | string): number =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;

/** A number that is not negative, from its octets in any length. */
export function mpint(octets: Uint8Array): Buffer {
  const start = octets.findIndex((octet) => octet !== 0);
  if (start < 0) return string();
  const number = octets.subarray(start);
  return number[0]! >= 0x80 ? string(Buffer.of(0), number) : string(number);
}

/** Reads values one after the other; throws `SshError` with its code where they are incomplete. */
export class Reader {
  readonly #bytes: Buffer;
  readonly #code: string;
  #at = 0;

  constructor(bytes: Uint8Array, code: string) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#code = code;
  }

  get isDone(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** What was read, from the first octet. */
  get read(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  get rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  octets(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw this.fault('it is truncated');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  uint8 = (): number => this.octets(1)[0]!;
  uint32 = (): number => this.octets(4).readUInt32BE();
  uint64 = (): bigint => this.octets(8).readBigUInt64BE();
  string = (): Buffer => this.octets(this.uint32());
  text = (): string => this.string().toString('utf8');

  /** The octets of a number without the zeros that it begins with. */
  mpint(): Buffer {
    const octets = this.string();
    if (octets.length > 0 && octets[0]! >= 0x80) throw this.fault('a number is negative');
    const start = octets.findIndex((octet) => octet !== 0);
    return start < 0 ? Buffer.of() : octets.subarray(start);
  }

  /** All strings to the end. */
  strings(): Buffer[] {
    const found: Buffer[] = [];
    while (!this.isDone) found.push(this.string());
    return found;
  }

  /** @throws SshError if there is more. */
  end(): void {
    if (!this.isDone) throw this.fault('there is data after its end');
  }

  fault(why: string): SshError {
    return new SshError(this.#code, `The data is malformed: ${why}`);
  }
}
