import type { Document } from 'bson';
import { MAX_DATABASE_ANSWER } from '../../family/index.ts';

/** The received data is not a reply to the request. */
export class NoMessage extends Error {}

const HEADER = 16;
const OP_MSG = 2013;
const [CHECKSUM_PRESENT, CHECKSUM] = [1, 4];
const BODY = 0;
const FLAGS = 4;
const LEAST = HEADER + FLAGS + 1 + 5;

type Bson = Pick<typeof import('bson'), 'serialize' | 'deserialize'>;

/** A command in MongoDB's wire protocol (OP_MSG): one document. */
export function encodeMessage({ serialize }: Bson, id: number, command: Document): Buffer {
  const body = serialize(command);
  const header = Buffer.alloc(HEADER + FLAGS + 1);
  header.writeInt32LE(header.length + body.length, 0);
  header.writeInt32LE(id, 4);
  header.writeInt32LE(OP_MSG, 12);
  header.writeUInt8(BODY, HEADER + FLAGS);
  return Buffer.concat([header, body]);
}

/**
 * The length of the message that begins here; `undefined` if the header is incomplete.
 *
 * @throws NoMessage
 */
export function lengthOf(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined;
  const length = bytes.readInt32LE(0);
  if (length < LEAST || length > MAX_DATABASE_ANSWER) throw new NoMessage('Its length');
  return length;
}

/** The document of an answer to the command of this id. @throws NoMessage */
export function decodeMessage({ deserialize }: Bson, message: Buffer, id: number): Document {
  if (message.readInt32LE(8) !== id || message.readInt32LE(12) !== OP_MSG) throw new NoMessage('What it answers');
  const flags = message.readUInt32LE(HEADER);
  // Other flags mean further messages, or features that were not requested.
  if ((flags & ~CHECKSUM_PRESENT) !== 0) throw new NoMessage('Its flags');
  const end = message.length - (flags & CHECKSUM_PRESENT ? CHECKSUM : 0);
  const body = message.subarray(HEADER + FLAGS + 1, end);
  if (message.readUInt8(HEADER + FLAGS) !== BODY || body.length < 5 || body.readInt32LE(0) !== body.length)
    throw new NoMessage('Its sections');
  try {
    return deserialize(body);
  } catch {
    throw new NoMessage('Its document');
  }
}
