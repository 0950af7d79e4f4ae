import { failure } from '../../exit.ts';

// What a server answers becomes names of files, arguments of ssh and lines that sshd and ssh obey. It decides about nothing else.

export interface KeyWithCertificate {
  /** In the form of OpenSSH. */
  readonly privateKey: string;
  readonly signedKey: string;
}

/** @throws CommandError for what is no name or address of a host. */
export function hostnameOf(text: string): string {
  if (/^[A-Za-z0-9_](?:[A-Za-z0-9._:-]*[A-Za-z0-9])?$/.test(text)) return text;
  throw failure(`The server names the host ${text}, which is no name of a host`);
}

/** @throws CommandError for what is no name of an account. */
export function accountOf(text: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.@+-]*\$?$/.test(text)) return text;
  throw failure(`The server names the login user ${text}, which is no name of an account`);
}

/** One public key or certificate (RFC 4253, 6.6: the data begin with the name of the type). @throws CommandError for any other text. */
export function publicKeyOf(text: string): string {
  const line = text.trim();
  const [, type, data] = /^([a-z][a-z0-9@.-]*) ([A-Za-z0-9+/]+=*)(?: [^\p{Cc}\p{Zl}\p{Zp}]*)?$/u.exec(line) ?? [];
  if (type && data && Buffer.from(data, 'base64').toString('latin1', 4, 4 + type.length) === type) return line;
  throw failure('The server answered no public key or certificate of OpenSSH');
}

/** The public keys of an authority, one on each line: there are several during a rotation. @throws CommandError as `publicKeyOf` */
export const publicKeysOf = (text: string): string[] => text.trim().split('\n').map(publicKeyOf);

/** A private key and its certificate. @throws CommandError for any other text. */
export const keysOf = <Answer extends KeyWithCertificate>(answer: Answer): Answer => ({
  ...answer,
  privateKey: privateKeyOf(answer.privateKey),
  signedKey: publicKeyOf(answer.signedKey),
});

function privateKeyOf(text: string): string {
  if (/^-----BEGIN ([A-Z ]*)PRIVATE KEY-----\r?\n[A-Za-z0-9+/=\r\n]+-----END \1PRIVATE KEY-----\s*$/.test(text))
    return text;
  throw failure('The server answered no private key of OpenSSH');
}
