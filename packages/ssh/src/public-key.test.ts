import fc from 'fast-check';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blobOfSpki } from './key-type.ts';
import { isOpensshPrivateKey, opensshPrivateKey, pemOfOpenssh } from './private-key.ts';
import { blobOf, fingerprintOf, lineOf, readPublicKey, readPublicKeyBlob } from './public-key.ts';
import { atSshWork, sshKeygen } from './testing/tools.ts';
import { keyNamed, TESTED_ALGORITHMS } from './testing/keys.ts';
import { refusalOf } from './testing/refusal.ts';
import { mpint, string } from './wire.ts';

const spkiOf = (pem: string): Buffer => createPublicKey(pem).export({ type: 'spki', format: 'der' });

describe.skipIf(sshKeygen.isMissing)(`ssh-keygen${sshKeygen.orSkipped}`, () => {
  it.each(TESTED_ALGORITHMS)('reads keys of %s that are written here', async (algorithm) => {
    sshKeygen.require();
    const { pkcs8, spki, publicKey } = await keyNamed(algorithm, 'one');
    await atSshWork(async ({ put, keygen }) => {
      await put({ key: opensshPrivateKey(pkcs8, spki, 'ann'), 'key.pub': `${lineOf(publicKey, 'ann')}\n` });
      const { said } = await keygen('-y', '-f', 'key');
      expect(readPublicKey(said).blob).toEqual(publicKey);
      expect((await keygen('-l', '-f', 'key.pub')).said).toContain(`${fingerprintOf(publicKey)} ann`);
    });
  });

  it.each([
    ['rsa', '2048'],
    ['rsa', '3072'],
    ['ecdsa', '256'],
    ['ecdsa', '384'],
    ['ed25519', '256'],
  ])('writes keys of %s (%s bits) that are read here, public and private', async (type, bits) => {
    sshKeygen.require();
    await atSshWork(async ({ path, keygen }) => {
      expect(await keygen('-q', '-t', type, '-b', bits, '-N', '', '-C', 'a comment', '-f', 'key')).toMatchObject({
        ok: true,
      });
      const [line, text] = await Promise.all(['key.pub', 'key'].map((name) => readFile(join(path, name), 'utf8')));
      const read = readPublicKey(line!);
      expect(`${lineOf(read.blob, read.comment)}\n`).toBe(line);
      expect(read.comment).toBe('a comment');
      expect(isOpensshPrivateKey(text!)).toBe(true);
      expect(blobOfSpki(spkiOf(pemOfOpenssh(text!)))).toEqual(read.blob);
    });
  });

  it.each([
    [['-t', 'rsa', '-b', '1024'], 'ssh_public_key.too_short'],
    [['-t', 'ecdsa', '-b', '521'], 'ssh_public_key.type'],
  ])('writes keys by %s that are rejected: %s', async (options, code) => {
    sshKeygen.require();
    await atSshWork(async ({ path, keygen }) => {
      await keygen('-q', ...options, '-N', '', '-f', 'key');
      const line = await readFile(join(path, 'key.pub'), 'utf8');
      expect(refusalOf(() => readPublicKey(line))).toBe(code);
    });
  });

  it('writes private keys under a passphrase, which are rejected as such', async () => {
    sshKeygen.require();
    await atSshWork(async ({ path, keygen }) => {
      await keygen('-q', '-t', 'ed25519', '-N', 'a passphrase', '-f', 'key');
      const text = await readFile(join(path, 'key'), 'utf8');
      expect(refusalOf(() => pemOfOpenssh(text))).toBe('ssh_private_key.passphrase');
    });
  });
});

describe('readPublicKey', () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const line = lineOf(blobOf(publicKey));
  const base64 = line.split(' ')[1]!;
  const certificate = `ssh-ed25519-cert-v01@openssh.com ${string('ssh-ed25519-cert-v01@openssh.com').toString('base64')}`;
  const modulusOf = (bits: number) => {
    const modulus = Buffer.alloc(bits / 8, 0xff);
    return `ssh-rsa ${Buffer.concat([string('ssh-rsa'), mpint(Buffer.of(1, 0, 1)), mpint(modulus)]).toString('base64')}`;
  };

  it.each([
    ['nothing', '', 'malformed'],
    ['PEM', publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'malformed'],
    ['two lines', `${line}\n${line}`, 'malformed'],
    ['options before the key', `no-pty ${line}`, 'malformed'],
    ['base64 of other bits', `ssh-ed25519 ${base64.slice(0, -1)}`, 'malformed'],
    ['another type in the line', `ssh-rsa ${base64}`, 'malformed'],
    [
      'data after the key',
      `ssh-ed25519 ${Buffer.concat([blobOf(publicKey), Buffer.of(0)]).toString('base64')}`,
      'malformed',
    ],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----', 'private'],
    ['a certificate', certificate, 'certificate'],
    ['a key of a security token', `sk-ssh-ed25519@openssh.com ${base64}`, 'type'],
    ['DSA', `ssh-dss ${base64}`, 'type'],
    ['RSA of 1024 bits', modulusOf(1024), 'too_short'],
    ['RSA of 8192 bits', modulusOf(8192), 'size'],
    ['RSA with small factors', modulusOf(2048), 'weak'],
    [
      'the neutral point of Ed25519',
      `ssh-ed25519 ${Buffer.concat([string('ssh-ed25519'), string(Buffer.alloc(32))]).toString('base64')}`,
      'weak',
    ],
  ])('rejects %s', (_, text, rule) => {
    expect(refusalOf(() => readPublicKey(text))).toBe(`ssh_public_key.${rule}`);
  });

  it('accepts a key as another program writes it: without a comment, with tabs, with a line feed', () => {
    expect(readPublicKey(`\t${line.replace(' ', '\t')}\r\n`)).toMatchObject({ type: 'ssh-ed25519', comment: '' });
  });

  it('answers any octets with the key or with an error of its own', () => {
    const changed = fc.tuple(fc.nat(blobOf(publicKey).length - 1), fc.nat(255)).map(([at, octet]) => {
      const blob = Buffer.from(blobOf(publicKey));
      blob[at] = octet;
      return blob;
    });
    const anything = fc.oneof(
      changed,
      fc.uint8Array({ maxLength: 600 }).map((octets) => Buffer.from(octets)),
    );
    fc.assert(
      fc.property(anything, (blob) => {
        expect(refusalOf(() => readPublicKeyBlob(blob)) ?? 'ssh_public_key.').toMatch(/^ssh_public_key\./);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('pemOfOpenssh', () => {
  it('answers any octets in the place of a private key with an error of its own', () => {
    const intro = Buffer.from('openssh-key-v1\0');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => {
        const text = Buffer.concat([intro, octets]).toString('base64');
        const pem = `-----BEGIN OPENSSH PRIVATE KEY-----\n${text}\n-----END OPENSSH PRIVATE KEY-----\n`;
        expect(refusalOf(() => pemOfOpenssh(pem)) ?? 'ssh_private_key.').toMatch(/^ssh_private_key\./);
      }),
      { numRuns: 1000 },
    );
  });
});
