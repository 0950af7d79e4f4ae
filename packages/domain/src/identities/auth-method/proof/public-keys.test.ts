import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeAuthority } from '../../../outbound/testing/certificates.ts';
import { PublicKey } from './public-keys.ts';

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

it.each([
  ['RSA', spki(rsa.publicKey)],
  ['RSA, in its older form', rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
  ['P-256', spki(ec.publicKey)],
  ['P-521', spki(generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey)],
  ['Ed25519', spki(generateKeyPairSync('ed25519').publicKey)],
  ['blanks around', `\n${spki(ec.publicKey)}\n\n`],
])('accepts a public key: %s', (_, pem) => {
  expect(PublicKey.parse(pem)).toBe(pem.trim());
});

it.each([
  ['nothing', ''],
  ['a word', 'key'],
  ['a private key', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['a private key called public', spki(rsa.publicKey).replaceAll('PUBLIC', 'PRIVATE')],
  ['a certificate', makeAuthority('x').cert],
  ['two keys', spki(rsa.publicKey) + spki(ec.publicKey)],
  ['a key and more', `${spki(rsa.publicKey)}more`],
  ['a key cut off', spki(rsa.publicKey).slice(0, 200)],
  ['garbage', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'],
  ['weak RSA', spki(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)],
  ['another curve', spki(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey)],
  ['a key for agreements', spki(generateKeyPairSync('x25519').publicKey)],
  ['RSA for PSS alone', spki(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey)],
])('refuses %s', (_, pem) => {
  expect(PublicKey.safeParse(pem).success).toBe(false);
});
