import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A key and its certificate, both PEM; `issue` makes others below it. */
export interface TestAuthority {
  cert: string;
  key: string;
  issue(name: string, options?: IssueOptions): TestAuthority;
}

interface IssueOptions {
  readonly authority?: boolean;
  readonly isRsa?: boolean;
  /** Extended key usages; default: none. */
  readonly usages?: readonly (keyof typeof USAGES)[];
}

const USAGES = {
  serverAuth: '2b06010505070301',
  clientAuth: '2b06010505070302',
  emailProtection: '2b06010505070304',
  any: '551d2500',
  /** Has no name in this project. */
  smartcardLogon: '2b060104018237140202',
};

interface Issuer {
  name: string;
  key: KeyObject;
}

/** A self-signed authority (P-256, valid until 2099), so that tests need no openssl. */
export const makeAuthority = (name: string): TestAuthority => make(name, { authority: true });

function make(
  name: string,
  { authority = false, isRsa = false, usages = [] }: IssueOptions,
  issuer?: Issuer,
): TestAuthority {
  const { publicKey, privateKey } = isRsa
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { name: issuerName, key } = issuer ?? { name, key: privateKey };
  const altNames = /^[\d.]+$/.test(name)
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name));
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1, ...randomBytes(15)),
    ecdsaWithSha256,
    distinguishedName(issuerName),
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension('551d13', sequence(...(authority ? [der(0x01, Buffer.from([0xff]))] : []))),
        extension('551d11', sequence(altNames)),
        ...(usages.length > 0
          ? [extension('551d25', sequence(...usages.map((usage) => identifier(USAGES[usage]))))]
          : []),
      ),
    ),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, key));
  return {
    cert: pem(sequence(body, ecdsaWithSha256, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issue: (child, options = {}) => make(child, options, { name, key: privateKey }),
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const integer = (...bytes: number[]) => der(0x02, Buffer.from(bytes));
const time = (text: string) => der(0x18, Buffer.from(text));
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const extension = (oid: string, value: Buffer) => sequence(identifier(oid), der(0x04, value));
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
const distinguishedName = (name: string) =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(name)))));
const pem = (content: Buffer) =>
  [
    '-----BEGIN CERTIFICATE-----',
    ...(content.toString('base64').match(/.{1,64}/g) ?? []),
    '-----END CERTIFICATE-----',
    '',
  ].join('\n');
