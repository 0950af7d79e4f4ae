import type { Client } from 'ssh2';

/** What a client of ssh2 has beyond its types. */
interface Protocol {
  /** Takes each message that is not part of a key exchange; every key exchange looks it up. */
  _onPayload: (message: Buffer) => unknown;
  requestFailure(): void;
}

// Types of messages (RFC 4254, section 9, and RFC 4256, section 5).
const GLOBAL_REQUEST = 80;
const INFO_REQUEST = 60;
/** Bytes of the shortest prompt: an empty text, and whether what is typed is shown. */
const SHORTEST_PROMPT = 5;

/**
 * Has a client leave those messages of its server alone that ssh2 handles at a cost without a bound: global requests, of
 * which it answers the one that offers further host keys by verifying a signature of each in one turn; and questions that
 * announce more prompts than the message has room for, which it allocates first. Called right after `connect`.
 */
export function boundMessages(client: Client): void {
  const { _protocol: protocol } = client as unknown as { readonly _protocol: Protocol };
  const { _onPayload: deliver } = protocol;
  if (typeof deliver !== 'function') throw new Error('This release of ssh2 takes messages in another way');
  const take = (message: Buffer): void => {
    if (message[0] === GLOBAL_REQUEST) {
      if (wantsReply(message)) protocol.requestFailure();
    } else if (message[0] === INFO_REQUEST && announcesTooMany(message))
      client.emit('error', new Error('A question announces more prompts than it has'));
    else deliver(message);
  };
  Object.assign(protocol, { _onPayload: take });
}

/** The position after the string at this one. */
const afterString = (message: Buffer, at: number): number =>
  at + 4 <= message.length ? at + 4 + message.readUInt32BE(at) : message.length;

const wantsReply = (message: Buffer): boolean => message[afterString(message, 1)] === 1;

function announcesTooMany(message: Buffer): boolean {
  let at = 1;
  for (let strings = 0; strings < 3; strings++) at = afterString(message, at);
  // What has no number here is another message of this type.
  return at + 4 <= message.length && message.readUInt32BE(at) * SHORTEST_PROMPT > message.length - at - 4;
}
