import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificatesIn } from './pem.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coffer-pem-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A certificate by OpenSSL. */
function made(subject: string, ...more: readonly string[]): string {
  const file = join(folder, 'certificate.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', join(folder, 'key.pem')];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', file, '-utf8', '-subj', subject, ...more], {
    stdio: 'pipe',
  });
  return readFileSync(file, 'utf8');
}

describe('certificatesIn', () => {
  it('reads names, serial numbers and times of what OpenSSL has made, in the order of the file', () => {
    const first = made('/O=Acme/CN=Käse & <b> Co', '-set_serial', '0x00ab12', '-days', '1');
    const second = made('/O=Acme', '-set_serial', '1', '-days', '36500');
    const [one, other] = certificatesIn(`a text before\n${first}${second}`);
    expect(one).toMatchObject({ subject: 'Käse & <b> Co', issuer: 'Käse & <b> Co', serialNumber: 'ab12' });
    expect(one?.pem).toBe(first);
    expect(Date.parse(one!.notAfter) - Date.parse(one!.notBefore)).toBe(86_400_000);
    // From 2050 on, times have four digits of the year.
    expect(other).toMatchObject({ subject: 'Acme', serialNumber: '1' });
    expect(new Date(other!.notAfter).getUTCFullYear()).toBe(
      new Date(Date.now() + 36_500 * 86_400_000).getUTCFullYear(),
    );
  });

  it('leaves out what is no certificate, whatever it is', () => {
    const block = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
    const cut = Buffer.from(certificateBytes().subarray(0, 60)).toString('base64');
    expect(
      certificatesIn(['', 'nothing', block('AAAA'), block('====='), block(cut), block('MIIB')].join('\n')),
    ).toEqual([]);
  });
});

const certificateBytes = () => Buffer.from(made('/CN=short').replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');
