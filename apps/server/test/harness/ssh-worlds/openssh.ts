import { createHash } from 'node:crypto';
import { atSshWork } from '@coffer/domain/testing';

/** A certificate as `ssh-keygen -L` shows it. */
export interface Shown {
  readonly certType: string;
  readonly keyId: string;
  readonly serialNumber: string;
  /** The fingerprint of what signed it. */
  readonly signer: string;
  readonly from: number;
  readonly until: number;
  readonly principals: readonly string[];
  /** With their values. */
  readonly criticalOptions: readonly string[];
  /** By their names. */
  readonly extensions: readonly string[];
}

const instant = (text: string | undefined) => new Date(`${text}Z`).getTime();
const entries = (text: string, title: string): string[] => {
  const [, block = ''] = new RegExp(`${title}: ?\\n((?: {16}.*\\n)*)`).exec(text) ?? [];
  return block.split('\n').flatMap((line) => (line === '' ? [] : line.trim()));
};

function read(text: string): Shown {
  const [, from, until] = /Valid: from (\S+) to (\S+)/.exec(text) ?? [];
  const field = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  return {
    certType: field(/Type: \S+ (user|host) certificate/),
    keyId: field(/Key ID: "(.*)"/),
    serialNumber: field(/Serial: (\d+)/),
    signer: field(/Signing CA: \S+ (\S+)/),
    from: instant(from),
    until: instant(until),
    principals: entries(text, 'Principals'),
    criticalOptions: entries(text, 'Critical Options'),
    extensions: entries(text, 'Extensions').map((line) => line.split(' ')[0]!),
  };
}

export const showCertificates = (lines: readonly string[]): Promise<Shown[]> =>
  atSshWork(async ({ put, keygen }) => {
    if (lines.length === 0) return [];
    await put({ 'all.pub': `${lines.join('\n')}\n` });
    const { said } = await keygen('-L', '-f', 'all.pub');
    return said
      .split(/^(?=\S)/m)
      .filter((part) => part.includes('Type:'))
      .map(read);
  });

/** As `ssh-keygen` writes it: `SHA256:…`. */
export const fingerprintOf = (line: string): string => {
  const octets = Buffer.from(line.split(' ')[1]!, 'base64');
  return `SHA256:${createHash('sha256').update(octets).digest('base64').replace(/=+$/, '')}`;
};

/** Which certificates, of these lines, a revocation list has. */
export const revokedIn = (krl: Uint8Array, lines: readonly string[]): Promise<boolean[]> =>
  atSshWork(async ({ put, keygen }) => {
    if (lines.length === 0) return [];
    const names = lines.map((_, index) => `c${index}.pub`);
    await put({ krl, ...Object.fromEntries(lines.map((line, index) => [names[index]!, `${line}\n`])) });
    const { said } = await keygen('-Qf', 'krl', ...names);
    return names.map((name) => new RegExp(`^${name} .*REVOKED$`, 'm').test(said));
  });

export interface Credentials {
  readonly privateKey: string;
  readonly signedKey: string;
}
/** What a server knows. */
export interface Trust {
  readonly publicKeys: readonly string[];
  readonly krl: Uint8Array;
  /** Milliseconds. */
  readonly now: number;
}

const stamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`;

/**
 * Which of these principals OpenSSH takes the holder of a user certificate for. It verifies a signature with the certificate,
 * by the same checks as at a login: the authority, the times, the principal, the revocation list.
 */
export const acceptedAs = (
  { privateKey, signedKey }: Credentials,
  { publicKeys, krl, now }: Trust,
  principals: readonly string[],
): Promise<string[]> =>
  atSshWork(async ({ put, keygen }) => {
    const trusted = publicKeys.map((line) => `* cert-authority ${line}\n`).join('');
    await put({ key: privateKey, 'key-cert.pub': `${signedKey}\n`, message: '', trusted, krl });
    await keygen('-Y', 'sign', '-n', 'coffer', '-f', 'key-cert.pub', 'message');
    const accepted: string[] = [];
    for (const principal of principals) {
      const how = ['-Y', 'verify', '-n', 'coffer', '-f', 'trusted', '-s', 'message.sig', '-r', 'krl'];
      const { ok } = await keygen(...how, '-I', principal, '-O', `verify-time=${stamp(now)}`);
      if (ok) accepted.push(principal);
    }
    return accepted;
  });
