/**
 * The audit log's exported form, and its verifier. This file stands alone: it needs Node 24 or newer, no package, no
 * database and no network, so that it can be given to an auditor together with an export:
 *
 *     node verify.ts EXPORT [--public-key FILE] [--checkpoint SEQUENCE:HASH]
 *
 * Format 1. An export is UTF-8 text in lines that end with a line feed; each line is one JSON object without white
 * space around it. In order:
 *
 * 1. `{"format":"coffer.audit","version":1,"organizationId":…,"publicKey":…}`: whose log, and the Ed25519 key (SPKI,
 *    PEM) that the export claims to be signed with.
 * 2. `{"block":{…},"hash":…,"signature":…}`: a link of the chain. A block of the kind `events` is followed by a line for
 *    each of its events in the sealed order: `{"event":{…}}`, or `{"expired":HASH}` where retention removed it; or by
 *    the single line `{"expired":"all"}`. A block of the kind `expiry` says how many events retention removed, and from
 *    which blocks.
 * 3. `{"later":{…},"hash":…,"signature":…}`: expiry blocks after the exported period, for the events that it lacks.
 * 4. `{"end":{…}}`: what the export holds, and the SHA-256 of all lines before it.
 *
 * All hashes are SHA-256, in lower-case hexadecimal, over a name, a line feed and then:
 *
 * - event: `coffer.audit.event.v1`, the event's line;
 * - content: `coffer.audit.content.v1`, the 32-byte hashes of the block's events one after the other;
 * - block: `coffer.audit.block.v1`, the block's JSON as it stands in its line. It holds the content's hash, its own
 *   sequence number (from 1, without gaps) and the hash of the block before it (64 zeros before the first).
 *
 * A signature is Ed25519 (base64) over `coffer.audit.checkpoint.v1`, the organization, the sequence and the block's
 * hash, with line feeds between them. It vouches for its block and so for every block before it.
 *
 * What an export alone cannot show is that it was cut off at its end together with its last line: for that, keep
 * checkpoints (sequence and hash) elsewhere and verify against the latest.
 */
import { createHash, createPublicKey, hash, verify, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';

export const AUDIT_FORMAT = 1;

/** What comes before the first block. */
export const GENESIS = '0'.repeat(64);

export interface EventsBlock {
  readonly version: number;
  readonly kind: 'events';
  readonly organizationId: string;
  readonly sequence: number;
  readonly previousHash: string;
  readonly events: number;
  readonly contentHash: string;
  /** ISO 8601 in UTC with milliseconds, like all times here. */
  readonly firstEventAt: string;
  readonly lastEventAt: string;
  readonly sealedAt: string;
}

export interface ExpiryBlock {
  readonly version: number;
  readonly kind: 'expiry';
  readonly organizationId: string;
  readonly sequence: number;
  readonly previousHash: string;
  /** The project whose events expired; `null` for those of the organization. */
  readonly projectId: string | null;
  /** Events of before this time were removed, */
  readonly before: string;
  /** this many, */
  readonly events: number;
  /** all of them from the blocks from this one */
  readonly firstSequence: number;
  /** to this one. */
  readonly lastSequence: number;
  readonly sealedAt: string;
}

export type AuditBlock = EventsBlock | ExpiryBlock;

const FIELDS = {
  events: [
    'version',
    'kind',
    'organizationId',
    'sequence',
    'previousHash',
    'events',
    'contentHash',
    'firstEventAt',
    'lastEventAt',
    'sealedAt',
  ],
  expiry: [
    'version',
    'kind',
    'organizationId',
    'sequence',
    'previousHash',
    'projectId',
    'before',
    'events',
    'firstSequence',
    'lastSequence',
    'sealedAt',
  ],
} as const;

/** A block's JSON: its fields in this order and no others, whatever order they came in. */
const blockText = (block: AuditBlock): string => JSON.stringify(block, FIELDS[block.kind] as unknown as string[]);
export const blockHash = (block: AuditBlock): string => hash('sha256', `coffer.audit.block.v1\n${blockText(block)}`);
export const eventHash = (line: string): string => hash('sha256', `coffer.audit.event.v1\n${line}`);
export const contentHash = (eventHashes: Uint8Array): string =>
  createHash('sha256').update('coffer.audit.content.v1\n').update(eventHashes).digest('hex');

/** What a block's signature is made over. */
export const checkpointText = (organizationId: string, sequence: number, blocksHash: string): string =>
  `coffer.audit.checkpoint.v1\n${organizationId}\n${sequence}\n${blocksHash}`;

export interface SealedBlock {
  readonly block: AuditBlock;
  readonly hash: string;
  /** Ed25519, base64. */
  readonly signature: string;
}

export const headerLine = (organizationId: string, publicKey: string): string =>
  JSON.stringify({ format: 'coffer.audit', version: AUDIT_FORMAT, organizationId, publicKey });
export const blockLine = ({ block, hash: own, signature }: SealedBlock, role: 'block' | 'later' = 'block'): string =>
  `{"${role}":${blockText(block)},"hash":${JSON.stringify(own)},"signature":${JSON.stringify(signature)}}`;
export const expiredLine = (hashOrAll: string): string => JSON.stringify({ expired: hashOrAll });
/** In place of all events of a block. */
export const ALL_EXPIRED = expiredLine('all');

export interface AuditTotals {
  readonly blocks: number;
  readonly events: number;
  readonly expired: number;
  /** Of the last block; `null` where there is none. */
  readonly sequence: number | null;
  readonly hash: string | null;
}

export const endLine = ({ blocks, events, expired, sequence, hash: last }: AuditTotals, digest: string): string =>
  JSON.stringify({ end: { blocks, events, expired, sequence, hash: last, digest } });

/** A point of the chain that was noted elsewhere. */
export interface Checkpoint {
  readonly sequence: number;
  readonly hash: string;
}

export interface VerifyOptions {
  /** The server's key as its operator published it (PEM). Without it, the export is only compared with its own claim. */
  readonly publicKey?: string | undefined;
  /** What the export must contain, noted at an earlier time or taken from the server. */
  readonly checkpoint?: Checkpoint | undefined;
}

export interface AuditFault {
  /** Of the export, from 1. */
  readonly line: number;
  /** The sequence of the block, if the fault is in one. */
  readonly sequence: number | null;
  readonly reason: string;
}

export interface AuditReport {
  readonly valid: boolean;
  /** The first fault; the rest was not checked. */
  readonly fault: AuditFault | null;
  readonly organizationId: string | null;
  readonly first: Checkpoint | null;
  readonly last: Checkpoint | null;
  readonly blocks: number;
  readonly events: number;
  /** Events that retention removed, each accounted for by a signed statement. */
  readonly expired: number;
  /** SHA-256 of the public key (DER), for people to compare. */
  readonly keyFingerprint: string | null;
  /** Whether the key was given by the caller. If not, someone who makes a whole export up would not be found out. */
  readonly keyGiven: boolean;
}

/**
 * Interval of signature checks, in blocks; the last block is always checked. Each signature covers all previous blocks.
 */
const SIGNATURE_EVERY = 100;

/** Verifies an export, line by line and in constant memory. It never throws because of the content of lines. */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  options: VerifyOptions = {},
): Promise<AuditReport> {
  const verification = new Verification(options);
  for await (const line of lines) if (!verification.read(line)) break;
  return verification.report();
}

/** The lines of a file: terminated only by line feeds, with none after the last. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  let rest = '';
  for await (const chunk of chunks) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = pieces.pop() ?? '';
    yield* pieces;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/** The content of a file; one that ends in `.zst` is decompressed. */
export function chunksOfFile(file: string, isCompressed = file.endsWith('.zst')): AsyncIterable<Uint8Array> {
  const content = createReadStream(file);
  return isCompressed ? pipeline(content, createZstdDecompress(), () => undefined) : content;
}

class Fault extends Error {
  readonly sequence: number | undefined;

  constructor(reason: string, sequence?: number) {
    super(reason);
    this.sequence = sequence;
  }
}

interface OpenBlock {
  readonly block: EventsBlock;
  readonly hashes: Buffer[];
  missing: number;
}

class Verification {
  readonly #options: VerifyOptions;
  readonly #given: KeyObject | undefined;
  readonly #digest = createHash('sha256');
  readonly #unsigned: SealedBlock[] = [];
  readonly #removed: { sequence: number; events: number }[] = [];
  readonly #expiries: ExpiryBlock[] = [];
  #line = 0;
  #organizationId: string | undefined;
  #key: KeyObject | undefined;
  #open: OpenBlock | undefined;
  #first: Checkpoint | undefined;
  #last: Checkpoint | undefined;
  #blocks = 0;
  #events = 0;
  #expired = 0;
  #isLater = false;
  #isEnded = false;
  #fault: AuditFault | undefined;

  constructor(options: VerifyOptions) {
    this.#options = options;
    this.#given = options.publicKey === undefined ? undefined : createPublicKey(options.publicKey);
  }

  /** Reads the next line; false after a fault that makes further checks useless. */
  read(line: string): boolean {
    this.#line++;
    return this.#guard(() => {
      if (this.#isEnded) throw new Fault('There is data after the end of the export');
      if (this.#organizationId === undefined) this.#header(line);
      else if (this.#open) this.#event(this.#open, line);
      else if (line.startsWith('{"block":')) this.#block(line);
      else if (line.startsWith('{"later":')) this.#later(line);
      else if (line.startsWith('{"end":')) this.#end(line);
      else throw new Fault('A line of this kind is not expected here');
      if (!this.#isEnded) this.#digest.update(line).update('\n');
    });
  }

  report(): AuditReport {
    if (!this.#fault && !this.#isEnded) {
      this.#line++;
      this.#guard(() => {
        throw new Fault('The export is truncated: its last line is missing', this.#last?.sequence);
      });
    }
    return {
      valid: this.#fault === undefined,
      fault: this.#fault ?? null,
      organizationId: this.#organizationId ?? null,
      first: this.#first ?? null,
      last: this.#last ?? null,
      blocks: this.#blocks,
      events: this.#events,
      expired: this.#expired,
      keyFingerprint: this.#key ? hash('sha256', this.#key.export({ type: 'spki', format: 'der' })) : null,
      keyGiven: this.#options.publicKey !== undefined,
    };
  }

  /** Notes a fault. A forged earlier block, whose signature was not checked yet, has precedence. */
  #guard(step: () => void): boolean {
    try {
      step();
      return true;
    } catch (error) {
      const reason = error instanceof Fault ? error.message : 'This line is malformed';
      const own = error instanceof Fault ? error.sequence : undefined;
      const sequence = own ?? this.#open?.block.sequence ?? null;
      const forged = this.#firstForged();
      this.#fault = forged
        ? { line: this.#line, sequence: forged.block.sequence, reason: forgery(forged) }
        : { line: this.#line, sequence, reason };
      return false;
    }
  }

  #header(line: string): void {
    const { format, version, organizationId, publicKey } = record(JSON.parse(line));
    if (format !== 'coffer.audit') throw new Fault('This is not an export of an audit log');
    requireVersion(version);
    if (typeof organizationId !== 'string' || typeof publicKey !== 'string')
      throw new Fault('The first line is malformed');
    if (line !== headerLine(organizationId, publicKey)) throw new Fault('The first line is malformed');
    const claimed = createPublicKey(publicKey);
    const key = this.#given ?? claimed;
    if (key.asymmetricKeyType !== 'ed25519') throw new Fault('The public key is not an Ed25519 key');
    if (!key.equals(claimed)) throw new Fault('The export names a public key other than the given one');
    this.#organizationId = organizationId;
    this.#key = key;
  }

  #block(line: string): void {
    if (this.#isLater) throw new Fault('A block stands where only expiry blocks may');
    const sealed = this.#sealed(line, 'block');
    const { block } = sealed;
    const due = this.#last ? this.#last.sequence + 1 : block.sequence;
    if (block.sequence !== due)
      throw new Fault(
        `Block ${block.sequence} stands where block ${due} belongs: blocks are missing, repeated or out of order`,
        due,
      );
    const previous = this.#last?.hash ?? (block.sequence === 1 ? GENESIS : undefined);
    if (previous !== undefined && block.previousHash !== previous)
      throw new Fault(`Block ${block.sequence} does not follow the previous block`, block.sequence);
    this.#last = { sequence: block.sequence, hash: sealed.hash };
    this.#first ??= this.#last;
    this.#blocks++;
    this.#unsigned.push(sealed);
    const { checkpoint } = this.#options;
    if (checkpoint?.sequence === block.sequence && checkpoint.hash !== sealed.hash) {
      throw new Fault(`Block ${block.sequence} does not match the checkpoint`, block.sequence);
    }
    if (this.#unsigned.length >= SIGNATURE_EVERY) this.#checkSignatures();
    if (block.kind === 'events') this.#open = { block, hashes: [], missing: 0 };
    else this.#expiries.push(block);
  }

  #later(line: string): void {
    this.#checkSignatures();
    this.#isLater = true;
    const sealed = this.#sealed(line, 'later');
    const { block } = sealed;
    if (block.kind !== 'expiry') throw new Fault('After the exported period only expiry blocks are expected');
    const before = this.#expiries.at(-1)?.sequence ?? 0;
    if (block.sequence <= Math.max(before, this.#last?.sequence ?? 0))
      throw new Fault(`Expiry block ${block.sequence} is repeated or out of order`, block.sequence);
    if (!this.#isSigned(sealed)) throw new Fault(forgery(sealed), block.sequence);
    this.#expiries.push(block);
  }

  /** The line of a block, which must have exactly the content of its hash. */
  #sealed(line: string, role: 'block' | 'later'): SealedBlock {
    const { [role]: content, hash: own, signature } = record(JSON.parse(line));
    const fields = record(content);
    requireVersion(fields['version']);
    const block = blockOf(fields);
    if (typeof signature !== 'string' || signature === '')
      throw new Fault(`Block ${block.sequence} is not signed`, block.sequence);
    if (typeof own !== 'string' || line !== blockLine({ block, hash: own, signature }, role))
      throw new Fault('This line is malformed');
    if (block.organizationId !== this.#organizationId)
      throw new Fault(`Block ${block.sequence} belongs to another organization`, block.sequence);
    if (own !== blockHash(block))
      throw new Fault(`Block ${block.sequence} was changed: its hash does not match`, block.sequence);
    return { block, hash: own, signature };
  }

  #event(open: OpenBlock, line: string): void {
    const { block, hashes } = open;
    if (line === ALL_EXPIRED && hashes.length === 0) {
      this.#close(open, block.events);
      return;
    }
    if (line.startsWith('{"event":')) hashes.push(Buffer.from(eventHash(line), 'hex'));
    else {
      const expired = /^\{"expired":"([0-9a-f]{64})"\}$/.exec(line)?.[1];
      if (!expired) throw new Fault(`Block ${block.sequence} has fewer events than were sealed`);
      hashes.push(Buffer.from(expired, 'hex'));
      open.missing++;
    }
    if (hashes.length < block.events) return;
    if (contentHash(Buffer.concat(hashes)) !== block.contentHash) {
      throw new Fault(
        `The events of block ${block.sequence} are not the sealed ones: changed, removed, added or reordered`,
      );
    }
    this.#close(open, open.missing);
  }

  #close({ block }: OpenBlock, missing: number): void {
    this.#events += block.events - missing;
    this.#expired += missing;
    if (missing > 0) this.#removed.push({ sequence: block.sequence, events: missing });
    this.#open = undefined;
  }

  #end(line: string): void {
    this.#checkSignatures();
    const totals = {
      blocks: this.#blocks,
      events: this.#events,
      expired: this.#expired,
      sequence: this.#last?.sequence ?? null,
      hash: this.#last?.hash ?? null,
    };
    if (line !== endLine(totals, this.#digest.digest('hex')))
      throw new Fault('The last line does not match the lines before it: a line was changed, added or removed');
    this.#isEnded = true;
    this.#requireCheckpoint();
    const unexplained = unexplainedRemoval(this.#removed, this.#expiries);
    if (unexplained !== undefined) {
      throw new Fault(
        `Events of block ${unexplained} are missing, and no signed expiry block explains it`,
        unexplained,
      );
    }
  }

  #requireCheckpoint(): void {
    const { checkpoint } = this.#options;
    if (!checkpoint) return;
    const { sequence } = checkpoint;
    if (!this.#last || sequence > this.#last.sequence) {
      throw new Fault(
        `The export ends before block ${sequence} of the checkpoint: its end was cut off`,
        this.#last?.sequence,
      );
    }
    if (!this.#first || sequence < this.#first.sequence)
      throw new Fault(`The export begins after block ${sequence} of the checkpoint`);
  }

  #checkSignatures(): void {
    const last = this.#unsigned.at(-1);
    if (!last) return;
    if (!this.#isSigned(last)) throw new Fault(forgery(last), last.block.sequence);
    this.#unsigned.length = 0;
  }

  #firstForged(): SealedBlock | undefined {
    const forged = this.#key && this.#unsigned.find((sealed) => !this.#isSigned(sealed));
    this.#unsigned.length = 0;
    return forged;
  }

  #isSigned({ block, hash: own, signature }: SealedBlock): boolean {
    const text = Buffer.from(checkpointText(block.organizationId, block.sequence, own));
    return this.#key !== undefined && verify(null, text, this.#key, Buffer.from(signature, 'base64'));
  }
}

const forgery = ({ block }: SealedBlock) => `Block ${block.sequence} is not signed by the key of the server`;

/**
 * The first block that lacks more events than expiry blocks account for. Each expiry accounts for a number of events of
 * a range of earlier blocks; those whose range ends first are used up first.
 */
function unexplainedRemoval(
  removed: readonly { sequence: number; events: number }[],
  expiries: readonly ExpiryBlock[],
): number | undefined {
  const waiting = expiries
    .map((expiry) => ({ ...expiry, left: expiry.events }))
    .toSorted((a, b) => a.firstSequence - b.firstSequence);
  let active: typeof waiting = [];
  let next = 0;
  for (const { sequence, events } of removed) {
    for (let expiry = waiting[next]; expiry && expiry.firstSequence <= sequence; expiry = waiting[++next])
      active.push(expiry);
    active = active
      .filter(({ lastSequence, left }) => lastSequence >= sequence && left > 0)
      .toSorted((a, b) => a.lastSequence - b.lastSequence);
    let open = events;
    for (const expiry of active) {
      const used = expiry.sequence > sequence ? Math.min(open, expiry.left) : 0;
      expiry.left -= used;
      open -= used;
    }
    if (open > 0) return sequence;
  }
  return undefined;
}

/** Only this version: earlier versions had weaker rules, and a forged export could claim one. */
function requireVersion(version: unknown): void {
  if (version !== AUDIT_FORMAT)
    throw new Fault(`Format version ${JSON.stringify(version)} is not supported; expected ${AUDIT_FORMAT}`);
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Fault('This line is malformed');
  return value as Record<string, unknown>;
}

const TIME = /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;

const CHECKS: Record<string, (value: unknown) => boolean> = {
  version: () => true,
  kind: () => true,
  organizationId: (value) => typeof value === 'string',
  sequence: isCount,
  previousHash: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  events: isCount,
  contentHash: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  firstEventAt: (value) => typeof value === 'string' && TIME.test(value),
  lastEventAt: (value) => typeof value === 'string' && TIME.test(value),
  sealedAt: (value) => typeof value === 'string' && TIME.test(value),
  projectId: (value) => value === null || typeof value === 'string',
  before: (value) => typeof value === 'string' && TIME.test(value),
  firstSequence: isCount,
  lastSequence: isCount,
};

function blockOf(fields: Record<string, unknown>): AuditBlock {
  const { kind } = fields;
  if (kind !== 'events' && kind !== 'expiry') throw new Fault('This line is malformed');
  for (const field of FIELDS[kind])
    if (!CHECKS[field]?.(fields[field])) throw new Fault(`This block is malformed: ${field}`);
  return fields as unknown as AuditBlock;
}

async function main(args: readonly string[]): Promise<number> {
  const { readFileSync } = await import('node:fs');
  const { parseArgs } = await import('node:util');
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'public-key': { type: 'string' }, checkpoint: { type: 'string' } },
  });
  const [file] = positionals;
  const point = /^(\d+):([0-9a-f]{64})$/.exec(values.checkpoint ?? '');
  if (!file || (values.checkpoint !== undefined && !point)) {
    process.stderr.write('Usage: node verify.ts EXPORT [--public-key FILE] [--checkpoint SEQUENCE:HASH]\n');
    return 2;
  }
  const keyFile = values['public-key'];
  const report = await verifyExport(linesOf(chunksOfFile(file)), {
    publicKey: keyFile === undefined ? undefined : readFileSync(keyFile, 'utf8'),
    checkpoint: point ? { sequence: Number(point[1]), hash: point[2]! } : undefined,
  });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  return report.valid ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
