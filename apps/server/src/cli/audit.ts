import { readFile } from 'node:fs/promises';
import { chunksOfFile, linesOf, verifyExport, type Checkpoint } from '@coffer/domain/offline';
import { EXIT, StartError } from '../start-error.ts';

interface Options {
  readonly publicKey?: string;
  readonly checkpoint?: string;
  readonly json?: boolean;
}

/** Verifies an export of the audit log, without a server or a database; exit code 1 if it is invalid. */
export async function verify(file: string, options: Options): Promise<void> {
  const publicKey = options.publicKey === undefined ? undefined : await readText(options.publicKey);
  const input = file === '-' ? process.stdin : chunksOfFile(file);
  const report = await verifyExport(linesOf(input), {
    publicKey,
    checkpoint: options.checkpoint === undefined ? undefined : readCheckpoint(options.checkpoint),
  }).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!report.valid) process.exitCode = 1;
  if (options.json) {
    console.log(JSON.stringify(report, null, 2));
    return;
  }
  const { fault, events, blocks, expired, organizationId, first, last, keyFingerprint, keyGiven } = report;
  if (fault) console.log(`NOT VALID: line ${fault.line}: ${fault.reason}`);
  else
    console.log(
      `Valid: ${events} events in ${blocks} blocks of organization ${organizationId}${expired > 0 ? `, and ${expired} that retention removed` : ''}`,
    );
  if (first && last) console.log(`Blocks ${first.sequence} to ${last.sequence}; the last one's hash is ${last.hash}`);
  if (keyFingerprint) console.log(`Signed with the key of fingerprint ${keyFingerprint}`);
  if (!keyGiven)
    console.log(
      'The public key is the one in the file itself. Compare its fingerprint, or pass the key of your server with --public-key',
    );
}

/** `<sequence>:<hash>`, as it was noted. */
function readCheckpoint(text: string): Checkpoint {
  const [, sequence, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) {
    throw new StartError('a checkpoint is the sequence number of a block, a colon and its hash', EXIT.configuration);
  }
  return { sequence: Number(sequence), hash };
}

const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });

const unreadable = (file: string, error: unknown) =>
  new StartError(`${file} cannot be read: ${(error as Error).message}`, EXIT.configuration, { cause: error });
