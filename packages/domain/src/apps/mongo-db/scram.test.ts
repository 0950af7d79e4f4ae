import { describe, expect, it } from 'vitest';
import { saslPrep } from './sasl-prep.ts';
import { Scram } from './scram.ts';

/** RFC 7677, section 3. */
const NONCE = 'rOprNGfwEbeRWgbNEkqO';
const SERVER_FIRST = `r=${NONCE}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`;
const SERVER_FINAL = 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=';

describe('a proof by SCRAM-SHA-256', () => {
  it('is the published one', async () => {
    const scram = new Scram('user', 'pencil', NONCE);
    expect(scram.first).toBe(`n,,n=user,r=${NONCE}`);
    expect(await scram.prove(SERVER_FIRST)).toBe(
      `c=biws,r=${NONCE}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=`,
    );
    expect(() => scram.verify(SERVER_FINAL)).not.toThrow();
  });

  it('escapes names', () => {
    expect(new Scram('a=b,r=c', 'x', NONCE).first).toBe(`n,,n=a=3Db=2Cr=3Dc,r=${NONCE}`);
  });

  it('has a unique nonce', () => {
    const nonces = Array.from({ length: 100 }, () => new Scram('user', 'x').first.split('r=')[1]!);
    expect(new Set(nonces).size).toBe(100);
    for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9+/]{32}$/);
  });

  it.each([
    ['r=other%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096', 'nonce'],
    [`r=${NONCE},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`, 'nonce'],
    [`r=${NONCE}x,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4095`, 'iterations'],
    [`r=${NONCE}x,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1`, 'iterations'],
    [`r=${NONCE}x,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1000001`, 'iterations'],
    [`r=${NONCE}x,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=9999999999`, 'iterations'],
    [`r=${NONCE}x,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=0x1000`, 'nonce'],
    [`r=${NONCE}x,s=,i=4096`, 'nonce'],
    [`r=${NONCE}x,i=4096`, 'nonce'],
    [`m=x,r=${NONCE}x,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`, 'nonce'],
    [`r=${NONCE}x,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,m=x`, 'nonce'],
    ['e=other-error', 'nonce'],
    ['', 'nonce'],
  ])('is not given to a server that says %s', async (first, why) => {
    await expect(new Scram('user', 'pencil', NONCE).prove(first)).rejects.toThrow(why);
  });

  it.each(['v=7rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=', 'v=', '', 'e=other-error', `${SERVER_FINAL},x=y`])(
    'is not enough for a server that ends with %j',
    async (final) => {
      const scram = new Scram('user', 'pencil', NONCE);
      expect(() => scram.verify(SERVER_FINAL)).toThrow('does not know the password');
      await scram.prove(SERVER_FIRST);
      expect(() => scram.verify(final)).toThrow('does not know the password');
    },
  );
});

describe('a password', () => {
  it.each([
    // RFC 4013, section 3.
    ['I\u00adX', 'IX'],
    ['user', 'user'],
    ['USER', 'USER'],
    ['\u00aa', 'a'],
    ['\u2168', 'IX'],
    ['a\u00a0b\u3000c', 'a b c'],
    ['e\u0301', '\u00e9'],
    ['😀', '😀'],
  ])('%j is compared as %j', (password, prepared) => {
    expect(saslPrep(password)).toBe(prepared);
  });

  it.each(['\u0007', '\u0000', 'a\u200eb', '\ue000', '\ufffe', '\u{1fffe}', '\u{e0041}', '\ud800'])(
    'cannot be %j',
    (password) => {
      expect(() => saslPrep(password)).toThrow('invalid characters');
    },
  );
});
