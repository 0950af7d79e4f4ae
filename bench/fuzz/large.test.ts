import { createPublicKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Random } from '../chaos/random.ts';
import { largeValue, mayBeLarge } from './large.ts';

const random = new Random(7);
const many = (name: string, schema: Parameters<typeof largeValue>[2]) =>
  Array.from({ length: 60 }, () => largeValue(random, name, schema, () => ({ key: 'k' })));
const text = { type: 'string' } as const;

describe('large values', () => {
  it('are rules with conditions filled to their limits', () => {
    const sizes = many('permissions', { type: 'array', items: {} }).map((value) => JSON.stringify(value).length);
    expect(Math.max(...sizes)).toBeGreaterThan(1_000_000);
  });

  it('are keys and certificates that OpenSSL reads, and others', () => {
    const pems = many('certificatePem', text) as string[];
    const isRead = (read: () => unknown): boolean => {
      try {
        return read() !== undefined;
      } catch {
        return false;
      }
    };
    expect(pems.some((pem) => isRead(() => new X509Certificate(pem)))).toBe(true);
    expect(pems.some((pem) => isRead(() => createPublicKey(pem)))).toBe(true);
    expect(pems.some((pem) => pem.includes('PRIVATE KEY') || pem.includes('REQUEST'))).toBe(true);
  });

  it('mostly match the limits of a schema', () => {
    const lengths = many('name', { ...text, maxLength: 300 }).map((value) => String(value).length);
    expect(lengths.filter((length) => length <= 300).length).toBeGreaterThan(40);
    const lists = many('metadata', { type: 'array', maxItems: 100, items: { type: 'object' } }) as unknown[][];
    expect(lists.filter((list) => list.length === 100).length).toBeGreaterThan(40);
  });

  it('are for fields that accept as much', () => {
    expect(mayBeLarge('permissions', {})).toBe(true);
    expect(mayBeLarge('comment', text)).toBe(true);
    expect(mayBeLarge('dryRun', text)).toBe(false);
    expect(mayBeLarge('isActive', { type: 'boolean' })).toBe(false);
  });
});
