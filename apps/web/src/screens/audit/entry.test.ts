import type { AuditLogEntry } from '@coffer/client';
import { describe, expect, it } from 'vitest';
import { summary } from './entry.ts';

const ID = '01980000-0000-7000-8000-000000000000';
const of = (metadata: Record<string, unknown>) => summary({ event: { type: 'any', metadata } } as AuditLogEntry);

describe('what an event is about', () => {
  it('is said by names and lists of them, without IDs', () => {
    expect(of({ membershipId: ID, roles: ['member', 'viewer'], number: 2, more: {} })).toBe(
      'roles: member viewer, number: 2',
    );
  });

  it('is said by IDs where there is nothing else', () => {
    expect(of({ identityId: ID, roles: [] })).toBe(`identityId: ${ID}`);
  });
});
