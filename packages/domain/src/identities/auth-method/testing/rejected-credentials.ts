import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { makeAuthority } from '../../../outbound/testing/certificates.ts';

export type TestClaims = Record<string, unknown>;

/** A signer of tokens (RS256) for a login, and the claims of an accepted one. */
export interface TestIssuer {
  /** What its keys are published under; without it, its tokens name none. */
  readonly kid?: string | undefined;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Claims of a token that is accepted now, `iss`, `aud`, `sub`, `iat` and `exp` included. */
  claims(): TestClaims;
}

export interface RejectedCredentials {
  readonly name: string;
  /** Invalid values; a member omits those that it does not check. */
  readonly about: 'audience' | 'issuer' | 'subject' | 'time' | 'signature' | 'form';
  /** The expected errors of `verifyProof` and similar functions: `rejects.toMatchObject({ code })`. */
  readonly code: CodeMatcher;
  readonly forge: (issuer: TestIssuer) => string;
}

/** A matcher for one of several codes (a regular expression would match everything). */
interface CodeMatcher {
  readonly codes: readonly string[];
  readonly asymmetricMatch: (code: unknown) => boolean;
}

const proof = (...reasons: string[]): CodeMatcher => {
  const codes = reasons.map((reason) => `proof.${reason}`);
  return { codes, asymmetricMatch: (code) => codes.includes(code as string) };
};

/** A key of that name is not there, or did not sign: keys without names are all tried. */
const BY_NO_KEY = proof('unknown_key', 'signature');

const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const strangersCertificate = makeAuthority('Stranger').cert.replace(/-----[^-]+-----|\s/g, '');

const encode = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/** A token with any header and payload, signed by `signer`. */
function jws(header: unknown, payload: unknown, signer: (signed: Buffer) => Buffer | string): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${Buffer.from(signer(Buffer.from(signed))).toString('base64url')}`;
}

const rs256 = (key: KeyObject) => (signed: Buffer) => sign('sha256', signed, key);
const headerOf = ({ kid }: TestIssuer, more: object = {}) => ({
  alg: 'RS256',
  typ: 'JWT',
  ...(kid && { kid }),
  ...more,
});
const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** A token signed by the issuer, with additional or replaced claims; `undefined` removes one. */
export const signedBy = (issuer: TestIssuer, claims: TestClaims = {}, header: object = {}): string =>
  jws(headerOf(issuer, header), { ...issuer.claims(), ...claims }, rs256(issuer.privateKey));

/** A token with valid claims and another signer. */
const strangersOwn = (issuer: TestIssuer, header: object = {}): string =>
  jws(headerOf(issuer, header), issuer.claims(), rs256(stranger.privateKey));

/** One value of a claim that may be a list. */
const one = (claim: unknown): string => String(Array.isArray(claim) ? claim[0] : claim);

/** Names of false claims, by what the issuer has in their place. */
function claimed(
  about: RejectedCredentials['about'],
  code: CodeMatcher,
  falsehoods: Record<string, (claims: TestClaims) => TestClaims>,
): RejectedCredentials[] {
  return Object.entries(falsehoods).map(([name, falsify]) => ({
    name,
    about,
    code,
    forge: (issuer) => signedBy(issuer, falsify(issuer.claims())),
  }));
}

function forged(
  about: RejectedCredentials['about'],
  code: CodeMatcher,
  forgeries: Record<string, (issuer: TestIssuer) => string>,
): RejectedCredentials[] {
  return Object.entries(forgeries).map(([name, forge]) => ({ name, about, code, forge }));
}

const withPublicKey = (alg: string, secretOf: (publicKey: KeyObject) => string | Buffer) => (issuer: TestIssuer) =>
  jws(headerOf(issuer, { alg }), issuer.claims(), (signed) =>
    createHmac(`sha${alg.slice(2)}`, secretOf(issuer.publicKey))
      .update(signed)
      .digest(),
  );
const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

const unsigned = (alg: string) => (issuer: TestIssuer) => jws({ alg }, issuer.claims(), () => '');

/** The three parts of a valid token. */
const parts = (issuer: TestIssuer) => signedBy(issuer).split('.') as [string, string, string];

const HOSTILE_KIDS = [
  '../../../../../../dev/null',
  '/proc/sys/kernel/randomize_va_space',
  "x' union select 'key' --",
  'x"; drop table identities; --',
  '| sleep 10',
  'https://stranger.test/key.pem',
  '__proto__',
  'constructor',
  'toString',
  '\0',
  '*',
  '',
  'k'.repeat(5000),
];

/**
 * Tokens that a login must refuse, all derived from a valid one: `it.each(rejectedCredentials)('refuses a token $name',
 * …)`. They are signed with the issuer's own key, so that the named fault is the only one.
 */
export const rejectedCredentials: readonly RejectedCredentials[] = [
  ...claimed('audience', proof('audience'), {
    'for another audience': () => ({ aud: 'https://other.example.com' }),
    'for several other audiences': ({ aud }) => ({ aud: ['https://other.example.com', `${one(aud)}2`, ''] }),
    'for another client': () => ({ aud: 'other-client', azp: 'other-client', client_id: 'other-client' }),
    'without an audience': () => ({ aud: undefined }),
    'for no audience': () => ({ aud: [] }),
    'for the audience null': () => ({ aud: null }),
    'for a part of the audience': ({ aud }) => ({ aud: one(aud).slice(0, -1) }),
    'for more than the audience': ({ aud }) => ({ aud: `${one(aud)}x` }),
    'for an audience around it': ({ aud }) => ({ aud: ` ${one(aud)} ` }),
    'for the audience in another case': ({ aud }) => ({ aud: one(aud).toUpperCase() }),
    'for all audiences': () => ({ aud: '**' }),
    'for an audience in an object': ({ aud }) => ({ aud: { 0: one(aud), length: 1 } }),
    'for an audience in a list of lists': ({ aud }) => ({ aud: [[one(aud)]] }),
  }),
  ...claimed('issuer', proof('issuer'), {
    'of another issuer': () => ({ iss: 'https://stranger.test' }),
    'of the issuer with a slash more or less': ({ iss }) => ({
      iss: String(iss).endsWith('/') ? String(iss).slice(0, -1) : `${String(iss)}/`,
    }),
    'of an issuer that begins the same': ({ iss }) => ({ iss: `${String(iss)}.stranger.test` }),
    'of the issuer in another case': ({ iss }) => ({ iss: String(iss).toUpperCase() }),
    'of a list of issuers': ({ iss }) => ({ iss: [iss] }),
    'of the issuer null': () => ({ iss: null }),
    'without an issuer': () => ({ iss: undefined }),
  }),
  ...claimed('subject', proof('subject'), {
    'of another subject': () => ({ sub: 'somebody-else' }),
    'of more than the subject': ({ sub }) => ({ sub: `${String(sub)}2` }),
    'of a list of subjects': ({ sub }) => ({ sub: [sub] }),
    'without a subject': () => ({ sub: undefined }),
  }),
  ...claimed('time', proof('expired'), {
    'that has expired': () => ({ iat: secondsFromNow(-600), exp: secondsFromNow(-60) }),
    'that ended when time began': () => ({ exp: 0 }),
    'that ends before time began': () => ({ exp: -1 }),
  }),
  ...claimed('time', proof('claim'), {
    'without an end': () => ({ exp: undefined }),
    'whose end is null': () => ({ exp: null }),
    'whose end is a text': () => ({ exp: '99999999999' }),
    'whose beginning is a text': () => ({ nbf: '0' }),
    'whose issue is a text': () => ({ iat: '0' }),
  }),
  ...claimed('time', proof('not_yet_valid'), {
    'that is not valid yet': () => ({ nbf: secondsFromNow(3600), exp: secondsFromNow(7200) }),
    'that will be issued': () => ({ iat: secondsFromNow(3600), exp: secondsFromNow(7200) }),
  }),
  ...forged('signature', proof('algorithm'), {
    'signed by none': unsigned('none'),
    'signed by None': unsigned('None'),
    'signed by NONE': unsigned('NONE'),
    'signed by nothing': unsigned(''),
    'said to be signed by none': (issuer) => signedBy(issuer, {}, { alg: 'none' }),
    'signed with the public key as a secret': withPublicKey('HS256', spki),
    'signed with the public key as a secret, HS384': withPublicKey('HS384', spki),
    'signed with the public key as a secret, HS512': withPublicKey('HS512', spki),
    'signed with the public key, trimmed, as a secret': withPublicKey('HS256', (key) => spki(key).trim()),
    'signed with the bytes of the public key as a secret': withPublicKey('HS256', (key) =>
      key.export({ type: 'spki', format: 'der' }),
    ),
    'signed with the published key as a secret': withPublicKey('HS256', (key) =>
      JSON.stringify(key.export({ format: 'jwk' })),
    ),
    'signed with the modulus as a secret': withPublicKey('HS256', (key) =>
      Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url'),
    ),
    'signed with an empty secret that its kid leads to': (issuer) =>
      jws({ alg: 'HS256', kid: '../../../../../../dev/null' }, issuer.claims(), (signed) =>
        createHmac('sha256', '').update(signed).digest(),
      ),
    'signed by a method of no name': (issuer) => signedBy(issuer, {}, { alg: 'toString' }),
  }),
  ...forged('signature', proof('malformed'), {
    'whose method is a list': (issuer) => signedBy(issuer, {}, { alg: ['RS256'] }),
    'without a method': (issuer) => signedBy(issuer, {}, { alg: undefined }),
    'whose kid is a number': (issuer) => signedBy(issuer, {}, { kid: 1 }),
    'whose kid is a list': (issuer) => signedBy(issuer, {}, { kid: [issuer.kid ?? 'x'] }),
    'whose kid is an object': (issuer) => signedBy(issuer, {}, { kid: { toString: 'x' } }),
    'whose kid is null': (issuer) => signedBy(issuer, {}, { kid: null }),
    'of four parts': (issuer) => `${signedBy(issuer)}.`,
    'that is encrypted': () => `${encode({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.c.d`,
    'without a signature': (issuer) => parts(issuer).slice(0, 2).join('.'),
    'in the other serialization': (issuer) => {
      const [protectedHeader, payload, signature] = parts(issuer);
      return JSON.stringify({ protected: protectedHeader, payload, signature });
    },
  }),
  ...forged('signature', BY_NO_KEY, {
    'signed by a stranger under the same kid': (issuer) => strangersOwn(issuer),
    'signed by a stranger who encloses his key': (issuer) =>
      strangersOwn(issuer, { jwk: stranger.publicKey.export({ format: 'jwk' }) }),
    'signed by a stranger who says where his keys are': (issuer) =>
      strangersOwn(issuer, { jku: 'https://stranger.test/jwks', x5u: 'https://stranger.test/x509' }),
    'signed by a stranger who encloses his certificate': (issuer) =>
      strangersOwn(issuer, { x5c: [strangersCertificate], x5t: 'AAAA' }),
    'with the signature of another': (issuer) => {
      const [header, , signature] = parts(issuer);
      return [header, encode({ ...issuer.claims(), jti: 'forged' }), signature].join('.');
    },
    'with the signature of other claims': (issuer) => {
      const [header, payload] = parts(issuer);
      return [header, payload, signedBy(issuer, { jti: 'other' }).split('.')[2]].join('.');
    },
    'with an empty signature': (issuer) => [...parts(issuer).slice(0, 2), ''].join('.'),
    'with a signature of nothing but zeros': (issuer) =>
      [...parts(issuer).slice(0, 2), Buffer.alloc(256).toString('base64url')].join('.'),
    'with a signature cut off': (issuer) => signedBy(issuer).slice(0, -8),
    'with one more byte of signature': (issuer) => `${signedBy(issuer)}AAAA`,
  }),
  ...HOSTILE_KIDS.map((kid): RejectedCredentials => ({
    name: `signed by a stranger under the kid ${JSON.stringify(kid.slice(0, 30))}`,
    about: 'signature',
    code: BY_NO_KEY,
    forge: (issuer) => strangersOwn(issuer, { kid }),
  })),
  ...forged('signature', proof('unknown_key', 'signature', 'algorithm'), {
    'that names a stronger method than it is signed by': (issuer) => signedBy(issuer, {}, { alg: 'RS512' }),
    'that names another padding than it is signed by': (issuer) => signedBy(issuer, {}, { alg: 'PS256' }),
    'of zeros by a method of another kind of key': (issuer) =>
      jws(headerOf(issuer, { alg: 'ES256' }), issuer.claims(), () => Buffer.alloc(64)),
  }),
  ...forged('signature', proof('malformed', 'signature'), {
    'with a critical header that nobody knows': (issuer) => signedBy(issuer, {}, { crit: ['own'], own: true }),
    'with critical headers that are not there': (issuer) => signedBy(issuer, {}, { crit: ['b64'] }),
    'with critical headers that are no list': (issuer) => signedBy(issuer, {}, { crit: 'own', own: true }),
    'whose payload is said to be unencoded': (issuer) => signedBy(issuer, {}, { crit: ['b64'], b64: false }),
  }),
  ...forged('form', proof('malformed'), {
    'that is a word': () => 'token',
    'that is three words': () => 'one.two.three',
    'that is dots': () => '..',
    'with a header that is no JSON': (issuer) => `${encode('{"alg":"RS256"')}.${parts(issuer)[1]}.AAAA`,
    'with a header that is a list': (issuer) => jws([{ alg: 'RS256' }], issuer.claims(), rs256(issuer.privateKey)),
    'with a header that is null': (issuer) => jws(null, issuer.claims(), rs256(issuer.privateKey)),
    'with a header of many levels': (issuer) =>
      `${encode(`${'['.repeat(7000)}${']'.repeat(7000)}`).slice(0, 15_000)}.${parts(issuer)[1]}.AAAA`,
    'with a payload that is no JSON': (issuer) => jws(headerOf(issuer), 'claims', rs256(issuer.privateKey)),
    'with a payload that is a list': (issuer) => jws(headerOf(issuer), [issuer.claims()], rs256(issuer.privateKey)),
    'with a payload that is null': (issuer) => jws(headerOf(issuer), null, rs256(issuer.privateKey)),
    'with a blank in the middle': (issuer) => signedBy(issuer).replace('.', ' .'),
    'with padding': (issuer) => `${signedBy(issuer)}==`,
  }),
  ...forged('form', proof('too_large'), {
    'that is huge': (issuer) => signedBy(issuer, { padding: 'x'.repeat(20_000) }),
  }),
];
