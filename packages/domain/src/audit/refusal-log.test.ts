import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEvent, newId, REFUSALS, refusalOf, type Actor, type EventType } from '../kernel/index.ts';
import type { EventRow } from './event-row.ts';
import { RefusalLog } from './refusal-log.ts';
import { REFUSED_CODES } from './refused.ts';

const thingRefused: EventType<z.output<z.ZodObject<typeof REFUSALS>>> = defineEvent(
  'test.refused',
  'refuse-thing',
  z.object(REFUSALS),
);
const MINUTE = 60_000;

let now: number;
let written: EventRow[];
let isBroken: boolean;
let log: RefusalLog;
beforeEach(() => {
  now = Date.parse('2031-01-01T00:00:00Z');
  written = [];
  isBroken = false;
  log = new RefusalLog({
    now: () => new Date(now),
    write: (row) => (isBroken ? Promise.reject(new Error('away')) : Promise.resolve(void written.push(row))),
    onError: () => undefined,
  });
});

const organizationId = newId();
const actor: Actor = { type: 'anonymous' };
const note = (ipAddress: string, detail = 'a thing', place: { organizationId?: string; projectId?: string } = {}) =>
  log.note(refusalOf(thingRefused, {}, { organizationId, detail, ...place }), {
    actor,
    request: { id: 'req', ipAddress, userAgent: '' },
    now: () => new Date(now),
  });
const counts = () => written.map(({ data }) => (data as { count: number }).count);

describe('RefusalLog', () => {
  it('writes the first refusal immediately, and further ones within its minute as one event', async () => {
    for (let i = 0; i < 10_000; i++) await note('10.0.0.1', `thing ${i % 20}`);
    expect(counts()).toEqual([1]);
    await log.sweep();
    expect(counts()).toEqual([1]);
    now += MINUTE;
    await log.sweep();
    expect(counts()).toEqual([1, 9_999]);
    expect(written[1]!.data).toMatchObject({
      firstAt: '2031-01-01T00:00:00.000Z',
      lastAt: '2031-01-01T00:00:00.000Z',
      details: expect.objectContaining({ length: 10 }) as unknown,
    });
    await note('10.0.0.1');
    expect(counts()).toHaveLength(2);
    now += MINUTE;
    await log.sweep();
    expect(counts()).toEqual([1, 9_999, 1]);
    now += MINUTE;
    await log.sweep();
    expect(log.size).toBe(0);
  });

  it('distinguishes organizations and addresses, but not those of one IPv6 network', async () => {
    await note('10.0.0.1');
    await note('10.0.0.2');
    await note('10.0.0.1', 'a thing', { organizationId: newId() });
    for (let host = 1; host <= 50; host++) await note(`2001:db8::${host.toString(16)}`);
    await note('2001:db8:0:1::1');
    expect(written.map(({ ipAddress: address }) => address)).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.1',
      '2001:db8::1',
      '2001:db8:0:1::1',
    ]);
  });

  it('has bounded memory for any input, and still counts all of it', async () => {
    const total = 10_000;
    for (let i = 0; i < total; i++) await note(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    expect(log.size).toBeLessThanOrEqual(2_001);
    for (let i = 0; i < total; i++) await note('10.9.9.9', 'a thing', { organizationId: newId() });
    expect(log.size).toBeLessThanOrEqual(4_001);
    await log.sweep(true);
    expect(counts().reduce((sum, count) => sum + count, 0)).toBe(2 * total);
    expect(written.length).toBeLessThanOrEqual(4_010);
  });

  it('separates projects: a refusal in one hides none in another', async () => {
    const [one, two] = [newId(), newId()];
    await note('10.0.0.1');
    for (const projectId of [one, two, two, one, two]) await note('10.0.0.1', 'a thing', { projectId });
    await log.sweep(true);
    expect(written.map(({ projectId }) => projectId)).toEqual([null, one, two, one, two]);
    expect(counts()).toEqual([1, 1, 1, 1, 2]);
  });

  it('counts refusals beyond its memory for the organization, of any project', async () => {
    for (let i = 0; i < 2_000; i++) await note(`10.1.${i >> 8}.${i & 255}`);
    written = [];
    for (let i = 0; i < 20; i++) await note('10.2.0.1', 'a thing', { projectId: newId() });
    await log.sweep(true);
    expect(written.slice(1).map(({ projectId }) => projectId)).toEqual([null]);
    expect(counts()).toEqual([1, 19]);
  });

  it('writes its counts when the process ends, and keeps those that could not be written', async () => {
    isBroken = true;
    for (let i = 0; i < 3; i++) await note('10.0.0.1');
    await log.sweep();
    expect(written).toEqual([]);
    isBroken = false;
    await log.sweep(true);
    expect(counts()).toEqual([3]);
  });
});

/** A promise without an awaiter is lost with the process, and its timing discloses what the response does not. */
describe('events of reads and refusals', () => {
  it('are awaited or returned wherever they are recorded', () => {
    const root = join(import.meta.dirname, '../../../..');
    const sources = globSync(['packages/{domain,api}/src/**/*.ts', 'apps/server/src/**/*.ts'], { cwd: root });
    const calls = sources
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => unawaited(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line}`));
    expect(sources.length).toBeGreaterThan(500);
    expect(calls).toEqual([]);
  });

  it('are found where they are missing', () => {
    expect(unawaited('  await ctx.commitRead(event, ctx);\n  return ctx.noteRefusal(a, ctx);')).toEqual([]);
    expect(unawaited('  ctx\n    .commitRead(event, ctx)\n    .catch(() => undefined);')).toEqual([
      '.commitRead(event, ctx)',
    ]);
    expect(unawaited('  if (row) noteFailure(ctx, method, row);')).toEqual(['noteFailure(ctx, method, row);']);
  });
});

/** Recorded at the place of the refusal. */
const RECORDED = ['auth.wrong_credentials', 'est.refused', 'auth.invalid_token'];
/** The caller has presented nothing, or valid but insufficient credentials. */
const UNRECORDED = ['auth.no_token', 'auth.no_organization', 'invitation.log_in'];

describe('an error with status 401', () => {
  it('is recorded as a refused code, or listed as recorded elsewhere or not at all', () => {
    const root = join(import.meta.dirname, '../../../..');
    // Whatever the methods of machines throw is a failed login: identities/auth-method/log-in.ts.
    const files = globSync(['packages/{domain,api}/src/**/*.ts', 'apps/server/src/**/*.ts'], { cwd: root }).filter(
      (file) => !file.endsWith('.test.ts') && !file.includes('identities/auth-method/'),
    );
    const codes = files.flatMap((file) =>
      Array.from(
        readFileSync(join(root, file), 'utf8').matchAll(/unauthenticated\(\s*'([^']+)'/g),
        ([, code]) => code!,
      ),
    );
    const known = [...REFUSED_CODES.keys(), ...RECORDED, ...UNRECORDED];
    expect([...new Set(codes)].filter((code) => !known.includes(code))).toEqual([]);
    expect([...REFUSED_CODES.keys()].filter((code) => !codes.includes(code))).toEqual([]);
  });
});

/** What others note, by the file that makes the attempt. */
const NOTED_IN: Readonly<Record<string, string>> = {
  'packages/domain/src/pki/est-config/passphrase.ts': 'packages/domain/src/pki/est/enroll.ts',
};

describe('an attempt that is refused without being looked at', () => {
  it('is recorded wherever attempts are made', () => {
    const root = join(import.meta.dirname, '../../../..');
    const sources = globSync(['packages/{domain,api}/src/**/*.ts', 'apps/server/src/**/*.ts'], { cwd: root }).filter(
      (file) => !file.endsWith('.test.ts'),
    );
    const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
    const attempting = sources.filter((file) => /\bnew Attempt\(/.test(textOf(file)));
    expect(attempting.length).toBeGreaterThan(3);
    expect(attempting.filter((file) => !textOf(NOTED_IN[file] ?? file).includes('notingThrottled('))).toEqual([]);
  });
});

function unawaited(source: string): string[] {
  const call =
    /(?<before>[^;{}]*?)\b(?<call>(?:commitRead|noteRefusal|noteFailure|noteUnknownLogin|noteRefusedCode|noteRefusedRequest)\(.*)/g;
  return Array.from(source.matchAll(call)).flatMap(({ groups }) => {
    const { before = '', call: found = '' } = groups!;
    const statement = before.slice(before.lastIndexOf('\n\n') + 1);
    // A declaration, or an expression whose value is used.
    const isKept =
      /\b(await|return|function|async)\b|=>|: \(?$|^\s*(?:\/?\*|\/\/)/m.test(statement) ||
      /^\w+\([^)]*\): Promise/.test(found);
    return isKept ? [] : [`${before.endsWith('.') ? '.' : ''}${found}`];
  });
}
