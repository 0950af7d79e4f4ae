import { generateKeyPairSync, sign } from 'node:crypto';
import { createLocalJWKSet, SignJWT, type JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { badRequest, type FindKeys } from '../../../kernel/index.ts';
import { verifyProof, type ProofRules } from './verify.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
const NOW = 1_800_000_000;

const signed = (claims: JWTPayload) =>
  new SignJWT({ exp: NOW + 60, ...claims }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
const verify = async (claims: JWTPayload, rules: Partial<ProofRules> = {}, keys: FindKeys = async () => [publicKey]) =>
  verifyProof(await signed(claims), keys, { now: new Date(NOW * 1000), ...rules });
const refused = (reason: string) => ({ kind: 'unauthenticated', code: `proof.${reason}` });

describe('a proof', () => {
  it('may be ten seconds beside the clock, and no more', async () => {
    for (const good of [{ exp: NOW - 9 }, { nbf: NOW + 10 }, { iat: NOW + 10 }])
      expect(await verify(good)).toMatchObject(good);
    await expect(verify({ exp: NOW - 10 })).rejects.toMatchObject(refused('expired'));
    await expect(verify({ nbf: NOW + 11 })).rejects.toMatchObject(refused('not_yet_valid'));
    await expect(verify({ iat: NOW + 11 })).rejects.toMatchObject(refused('not_yet_valid'));
  });

  it('has an end that a number can be', async () => {
    const [header, , ...rest] = (await signed({})).split('.');
    const endless = (payload: string) => {
      const text = `${header}.${Buffer.from(payload).toString('base64url')}`;
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    };
    expect(rest).toHaveLength(1);
    const prove = (payload: string) => verifyProof(endless(payload), async () => [publicKey], { now: new Date() });
    expect(await prove('{"exp":1e12}')).toEqual({ exp: 1e12 });
    await expect(prove('{"exp":1e999}')).rejects.toMatchObject(refused('claim'));
    await expect(prove('{"exp":1e12,"nbf":-1e999}')).rejects.toMatchObject(refused('claim'));
  });

  it('may be signed by any of the keys that are found, whatever the others are', async () => {
    const keys = [rsa, stranger, publicKey];
    expect(await verify({ sub: 'a' }, {}, async () => keys)).toMatchObject({ sub: 'a' });
    await expect(verify({}, {}, async () => keys.slice(0, 2))).rejects.toMatchObject(refused('signature'));
    await expect(verify({}, {}, async () => [rsa])).rejects.toMatchObject(refused('signature'));
    await expect(verify({}, {}, async () => [])).rejects.toMatchObject(refused('unknown_key'));
    await expect(verify({ exp: 0 }, {}, async () => [...keys, rsa])).rejects.toMatchObject(refused('expired'));
  });

  it('is signed by an algorithm that the caller accepts', async () => {
    await expect(verify({}, { algorithms: ['RS256'] })).rejects.toMatchObject(refused('algorithm'));
    expect(await verify({}, { algorithms: ['RS256', 'ES256'] })).toBeDefined();
  });

  it('is of the issuer, and for the audience, that the caller names', async () => {
    expect(await verify({ iss: 'a', aud: ['x', 'y'] }, { issuer: ['b', 'a'], audiences: 'z, y' })).toBeDefined();
    await expect(verify({ iss: 'a' }, { issuer: ['b', 'A'] })).rejects.toMatchObject(refused('issuer'));
    await expect(verify({ iss: 'a' }, { issuer: [] })).rejects.toMatchObject(refused('issuer'));
    await expect(verify({ aud: 'x' }, { audiences: 'y' })).rejects.toMatchObject(refused('audience'));
  });

  it('waits for keys, and fails as they do', async () => {
    const gone = badRequest('outbound.unreachable', 'It is gone');
    await expect(verify({}, {}, () => Promise.reject(gone))).rejects.toBe(gone);
  });

  it('is requested by what its header contains, and nothing else', async () => {
    const asked: unknown[] = [];
    const jwt = await new SignJWT({ exp: NOW + 60 })
      .setProtectedHeader({
        alg: 'ES256',
        kid: 'k',
        jku: 'https://stranger.test',
        jwk: stranger.export({ format: 'jwk' }),
      })
      .sign(privateKey);
    const keys: FindKeys = async (header) => {
      asked.push(header);
      return [await createLocalJWKSet({ keys: [publicKey.export({ format: 'jwk' })] })({ alg: header.alg })];
    };
    await verifyProof(jwt, keys, { now: new Date(NOW * 1000) });
    expect(asked).toEqual([{ alg: 'ES256', kid: 'k' }]);
  });
});
