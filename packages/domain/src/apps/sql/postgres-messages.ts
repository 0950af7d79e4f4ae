import type { Duplex } from 'node:stream';
import { MAX_DATABASE_ANSWER, MAX_DATABASE_VALUES } from '../../family/index.ts';

/** Type and length. */
const HEADER = 5;
const [ERROR, NOTICE, READY, COLUMNS, ROW, AUTHENTICATION] = Array.from('ENZTDR', (type) => type.charCodeAt(0));

/** The codes of the steps of SCRAM: its beginning, its continuation with the iterations, its end. */
const SCRAM: readonly number[] = [10, 11, 12];
/** Maximum number of other steps of one kind. */
const MAX_STEPS = 6;

/**
 * Reads the messages of a server beside the library, and throws before that receives an answer that is too long or has too many
 * values, or an error or notice without an end: its loop over the fields would not end, either. Each step of SCRAM comes once: the library
 * would derive a key from the password for each, in the threads that all of the process shares. Others come a few times: PAM may ask for the
 * password again.
 *
 * @param stream Has no other listener yet.
 */
export function checkMessages(stream: Duplex): void {
  let pending: Buffer = Buffer.alloc(0);
  /** Bytes of the present message that are not here yet, and not looked at. */
  let skipped = 0;
  let left = MAX_DATABASE_ANSWER;
  let columns = 0;
  let values = 0;
  const steps = new Map<number, number>();
  stream.on('data', (chunk: Buffer) => {
    const begun = Math.min(skipped, chunk.length);
    skipped -= begun;
    let rest = pending.length === 0 ? chunk.subarray(begun) : Buffer.concat([pending, chunk]);
    while (rest.length >= HEADER) {
      const [type, end] = [rest[0]!, 1 + rest.readUInt32BE(1)];
      if (end < HEADER || end > left) throw new Error('A message is too short or too long');
      if (type === ERROR || type === NOTICE) {
        if (end > rest.length) break;
        requireFields(rest.subarray(HEADER, end));
      }
      if (type === AUTHENTICATION) {
        if (end < HEADER + 4) throw new Error('A step of a login has no code');
        if (rest.length < HEADER + 4) break;
        const code = rest.readUInt32BE(HEADER);
        const times = (steps.get(code) ?? 0) + 1;
        if (times > (SCRAM.includes(code) ? 1 : MAX_STEPS)) throw new Error('A step of a login comes too often');
        steps.set(code, times);
      }
      if (type === COLUMNS && end >= HEADER + 2) {
        if (rest.length < HEADER + 2) break;
        columns = rest.readUInt16BE(HEADER);
      }
      // The library makes an object with all columns for each row, however few values that has.
      if (type === ROW) values += columns;
      if (values > MAX_DATABASE_VALUES) throw new Error('An answer has too many values');
      if (type === READY) values = 0;
      left = type === READY ? MAX_DATABASE_ANSWER : left - end;
      skipped = Math.max(0, end - rest.length);
      rest = rest.subarray(end);
    }
    // A copy: the buffer of the socket is larger.
    pending = Buffer.from(rest);
  });
}

/** PostgreSQL 18, 54.8: each field is a type and a text that ends with zero, and so does the list. */
function requireFields(body: Buffer): void {
  let at = 0;
  while (at < body.length && body[at] !== 0) {
    const end = body.indexOf(0, at + 1);
    if (end < 0) break;
    at = end + 1;
  }
  if (at !== body.length - 1) throw new Error('An error or notice has no end');
}
