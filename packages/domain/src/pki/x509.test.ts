import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as inner from '@coffer/x509';
import { describe, expect, it } from 'vitest';
import * as x509 from './x509.ts';

const folder = fileURLToPath(new URL('.', import.meta.resolve('@coffer/x509')));
const sources = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', 'testing/**'] });
const THROWING = /@throws X509Error(?:(?!\*\/)[^])*\*\/\s*export (?:async )?(?:function|const) (\w+)/g;
const throwing = sources
  .flatMap((source) => Array.from(readFileSync(folder + source, 'utf8').matchAll(THROWING), ([, name]) => name!))
  .filter((name) => name in inner);

describe('pki/x509', () => {
  it('is a 400 with the code of the library for rejected input', async () => {
    const refused = (code: string) => expect.objectContaining({ name: 'DomainError', kind: 'bad_request', code });
    expect(() => x509.readCsr('no request')).toThrow(refused('csr.malformed'));
    expect(() => x509.readAltName('ip', '10.1')).toThrow(refused('alt_name.ip'));
    const key = { ...(await inner.generateKey('EC_prime256v1')), algorithm: 'EC_prime256v1' as const };
    await expect(x509.makeCsr({ country: 'Germany' }, key)).rejects.toThrow(refused('subject.country'));
  });

  it('does so for every function that can refuse', () => {
    expect(throwing.length).toBeGreaterThan(10);
    const [ours, theirs] = [x509, inner].map((module) => new Map<string, unknown>(Object.entries(module)));
    const untranslated = throwing.filter((name) => ours!.get(name) === theirs!.get(name));
    expect(untranslated).toEqual([]);
  });
});
