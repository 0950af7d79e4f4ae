import { KEYS } from '../kms.ts';
import type { Answer, Caller } from '../test-server.ts';
import { ask, type Player } from '../worlds.ts';

interface Operation {
  readonly method: Parameters<Caller>[0];
  /** Behind the key. */
  readonly path: string;
  readonly procedure: string;
  readonly right: string;
}
const of = (method: Operation['method'], path: string, procedure: string, right: string): Operation => ({
  ...{ method, path, procedure, right },
});

/** What is asked of a single key, by the end of its path, with the permission that the guide names. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  read: of('GET', '', 'kmsKeys.get', 'read'),
  'public-key': of('GET', '/public-key', 'kmsKeys.getPublicKey', 'read'),
  'signing-algorithms': of('GET', '/signing-algorithms', 'kmsKeys.listSigningAlgorithms', 'read'),
  'private-key': of('GET', '/private-key', 'kmsKeys.export', 'export-private-key'),
  update: of('PATCH', '', 'kmsKeys.update', 'edit'),
  delete: of('DELETE', '', 'kmsKeys.delete', 'delete'),
  'cancel-deletion': of('POST', '/cancel-deletion', 'kmsKeys.cancelDeletion', 'delete'),
  rotate: of('POST', '/rotate', 'kmsKeys.rotate', 'rotate'),
  encrypt: of('POST', '/encrypt', 'kms.encrypt', 'encrypt'),
  decrypt: of('POST', '/decrypt', 'kms.decrypt', 'decrypt'),
  're-encrypt': of('POST', '/re-encrypt', 'kms.reEncrypt', 'encrypt'),
  'data-key': of('POST', '/data-key', 'kms.generateDataKey', 'encrypt'),
  sign: of('POST', '/sign', 'kms.sign', 'sign'),
  verify: of('POST', '/verify', 'kms.verify', 'verify'),
  'generate-mac': of('POST', '/generate-mac', 'kms.generateMac', 'generate-mac'),
  'verify-mac': of('POST', '/verify-mac', 'kms.verifyMac', 'verify-mac'),
  'encrypt/batch': of('POST', '/encrypt/batch', 'kms.encryptBatch', 'encrypt'),
  'decrypt/batch': of('POST', '/decrypt/batch', 'kms.decryptBatch', 'decrypt'),
  'sign/batch': of('POST', '/sign/batch', 'kms.signBatch', 'sign'),
  'verify/batch': of('POST', '/verify/batch', 'kms.verifyBatch', 'verify'),
};

/** Asks one of these of a key. */
export const askOfKey = (
  player: Player,
  isTrpc: boolean,
  keyId: string,
  what: string,
  body: object,
): Promise<Answer> => {
  const { method, path, procedure } = OPERATIONS[what]!;
  return ask(player, isTrpc, { method, url: `${KEYS}/${keyId}${path}`, procedure, named: { keyId }, body });
};
