import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../testing/index.ts';
import { dropExpired } from './retention.ts';
import { exported, logWorld, writeEvents, type LogWorld } from './testing/log.ts';
import {
  blockHash,
  blockLine,
  checkpointText,
  contentHash,
  endLine,
  eventHash,
  expiredLine,
  headerLine,
  linesOf,
  verifyExport,
  type AuditBlock,
  type Checkpoint,
  type SealedBlock,
} from './verify.ts';

const DAY = 86_400_000;

let test: TestCoffer;
let log: LogWorld;
let organizationId: string;
let lines: readonly string[];
let checkpoint: Checkpoint;

beforeAll(async () => {
  test = await testCoffer();
  log = await logWorld(test);
  const organization = await makeOrganization(test.coffer);
  organizationId = organization.id;
  const { id: projectId } = await makeProject(test.coffer, organizationId, organization.admin.actor);
  await test.coffer.pool.query('update projects set audit_logs_retention_days = 30 where id = $1', [projectId]);
  await log.sealAll();
  const past = new Date(test.coffer.now().getTime() - 40 * DAY);
  for (const count of [1, 3, 2]) {
    await writeEvents(test.coffer, count, { organizationId, projectId, at: past });
    // One block expires completely, the others partly.
    if (count === 3) await log.sealAll();
    await writeEvents(test.coffer, count, { organizationId });
    await log.sealAll();
  }
  await dropExpired(log.deps);
  for (const count of [2, 1, 4]) {
    await writeEvents(test.coffer, count, { organizationId });
    await log.sealAll();
  }
  lines = await exported(test.coffer, organizationId);
  const { last } = await verifyExport(lines);
  checkpoint = last!;
});
afterAll(async () => {
  await log.stop();
  await test.close();
});

const check = (changed: readonly string[], options = { publicKey: log.publicKey, checkpoint }) =>
  verifyExport(changed, options);
const isOfKind = (kind: string) => (line: string) => line.startsWith(`{"${kind}":`);
const sealedIn = (line: string): SealedBlock => JSON.parse(line) as SealedBlock;

/**
 * The best that an attacker without the key can do: a consistent chain, signed with another key or with the old
 * signatures.
 */
function forge(
  changed: readonly string[],
  resign: (block: AuditBlock, hash: string, before: string) => string,
): string[] {
  const result: string[] = [];
  let previous: string | undefined;
  const totals = { blocks: 0, events: 0, expired: 0, sequence: null as number | null, hash: null as string | null };
  let eventsOfBlock = 0;
  for (let at = 0; at < changed.length; at++) {
    const line = changed[at]!;
    if (!isOfKind('block')(line)) {
      if (isOfKind('event')(line)) totals.events++;
      else if (isOfKind('expired')(line)) totals.expired += line === expiredLine('all') ? eventsOfBlock : 1;
      if (!isOfKind('end')(line)) result.push(line);
      continue;
    }
    const { block, signature } = sealedIn(line);
    const next = changed.findIndex(
      (other, index) => index > at && !isOfKind('event')(other) && !isOfKind('expired')(other),
    );
    const own = changed.slice(at + 1, next === -1 ? undefined : next);
    const hashes = own.map((event) =>
      isOfKind('event')(event) ? eventHash(event) : (JSON.parse(event) as { expired: string }).expired,
    );
    const content =
      block.kind === 'events' && !hashes.includes('all')
        ? { events: own.length, contentHash: contentHash(Buffer.from(hashes.join(''), 'hex')) }
        : {};
    const rebuilt = { ...block, ...content, previousHash: previous ?? block.previousHash } as AuditBlock;
    const hash = blockHash(rebuilt);
    result.push(blockLine({ block: rebuilt, hash, signature: resign(rebuilt, hash, signature) }));
    previous = hash;
    eventsOfBlock = rebuilt.kind === 'events' ? rebuilt.events : 0;
    totals.blocks++;
    totals.sequence = rebuilt.sequence;
    totals.hash = hash;
  }
  const digest = createHash('sha256')
    .update(result.map((line) => `${line}\n`).join(''))
    .digest('hex');
  return [...result, endLine(totals, digest)];
}

const asItWas = (_block: AuditBlock, _hash: string, before: string) => before;

describe('an unchanged export', () => {
  it('verifies, with what retention removed counted apart', async () => {
    expect(await check(lines)).toMatchObject({
      valid: true,
      fault: null,
      organizationId,
      expired: 6,
      first: { sequence: 1 },
      last: checkpoint,
      keyGiven: true,
    });
    expect(await verifyExport(lines)).toMatchObject({ valid: true, keyGiven: false });
  });

  it('verifies against every checkpoint that was noted in between', async () => {
    for (const line of lines.filter(isOfKind('block'))) {
      const { block, hash } = sealedIn(line);
      expect(
        await check(lines, { publicKey: log.publicKey, checkpoint: { sequence: block.sequence, hash } }),
      ).toMatchObject({ valid: true });
    }
  });

  it('verifies in any period, cut to whole blocks', async () => {
    const block = lines
      .filter(isOfKind('block'))
      .map((line) => sealedIn(line).block)
      .findLast((one) => one.kind === 'events')!;
    const period = await exported(test.coffer, organizationId, {
      startDate: new Date(block.firstEventAt),
      endDate: new Date(block.lastEventAt),
    });
    expect(await verifyExport(period, { publicKey: log.publicKey })).toMatchObject({ valid: true });
    expect(period.length).toBeLessThan(lines.length);
    const nothing = await exported(test.coffer, organizationId, { startDate: new Date('2100-01-01') });
    expect(await verifyExport(nothing, { publicKey: log.publicKey })).toMatchObject({
      valid: true,
      blocks: 0,
      events: 0,
    });
  });

  it("has the same result with the auditor's single file", () => {
    const directory = mkdtempSync(join(tmpdir(), 'coffer-auditor-'));
    try {
      copyFileSync(join(import.meta.dirname, 'verify.ts'), join(directory, 'verify.ts'));
      writeFileSync(join(directory, 'key.pem'), log.publicKey);
      const run = (content: readonly string[]) => {
        writeFileSync(join(directory, 'log.jsonl'), `${content.join('\n')}\n`);
        const point = `${checkpoint.sequence}:${checkpoint.hash}`;
        const { status, stdout } = spawnSync(
          process.execPath,
          ['verify.ts', 'log.jsonl', '--public-key', 'key.pem', '--checkpoint', point],
          { cwd: directory, encoding: 'utf8' },
        );
        return { status, report: JSON.parse(stdout) as object };
      };
      expect(run(lines)).toMatchObject({ status: 0, report: { valid: true, expired: 6 } });
      expect(run(lines.toSpliced(4, 1))).toMatchObject({ status: 1, report: { valid: false } });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it('reads lines terminated only by a line feed, in any chunks', async () => {
    const text = 'é\u2028a\r\nb😀\n\nc';
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 7 }), async (size) => {
        const bytes = Buffer.from(text);
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        const read: string[] = [];
        for await (const line of linesOf(pieces)) read.push(line);
        expect(read).toEqual(['é\u2028a\r', 'b😀', '', 'c']);
      }),
    );
  });
});

describe('an export that was tampered with', () => {
  /** Small changes of every kind: characters, lines, order, the end. */
  const change = (): fc.Arbitrary<(from: readonly string[]) => string[]> => {
    const at = fc.nat();
    const place = (from: readonly unknown[], n: number) => n % from.length;
    return fc.oneof(
      fc
        .tuple(at, at, fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }))
        .map(([line, column, text]) => (from: readonly string[]) => {
          const old = from[place(from, line)]!;
          const start = column % (old.length + 1);
          return from.with(
            place(from, line),
            old.slice(0, start) + text.replaceAll('\n', ' ') + old.slice(start + text.length),
          );
        }),
      fc.tuple(at, at).map(([line, column]) => (from: readonly string[]) => {
        const old = from[place(from, line)]!;
        const start = column % old.length;
        return from.with(place(from, line), old.slice(0, start) + old.slice(start + 1));
      }),
      fc
        .tuple(at, at, fc.constantFrom('0', '1', '9', 'a', 'f', 'Z', '"', '}'))
        .map(([line, column, letter]) => (from: readonly string[]) => {
          const old = from[place(from, line)]!;
          const start = column % old.length;
          return from.with(place(from, line), old.slice(0, start) + letter + old.slice(start + 1));
        }),
      fc.tuple(at, fc.integer({ min: 1, max: 4 })).map(
        ([line, count]) =>
          (from: readonly string[]) =>
            from.toSpliced(place(from, line), count),
      ),
      fc.tuple(at, at).map(([one, other]) => (from: readonly string[]) => {
        const [a, b] = [place(from, one), place(from, other)];
        return from.with(a, from[b]!).with(b, from[a]!);
      }),
      fc.tuple(at, at).map(
        ([one, other]) =>
          (from: readonly string[]) =>
            from.toSpliced(place(from, one), 0, from[place(from, other)]!),
      ),
      at.map((line) => (from: readonly string[]) => from.slice(0, place(from, line))),
      at.map((line) => (from: readonly string[]) => from.slice(place(from, line))),
    );
  };

  it('is found out: 2,000 random edits, deletions, reorderings and truncations', async () => {
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change(), { minLength: 1, maxLength: 3 }), async (steps) => {
        const changed = steps.reduce<string[]>((from, step) => (from.length > 0 ? step(from) : from), [...lines]);
        fc.pre(changed.join('\n') !== lines.join('\n'));
        changes++;
        const report = await check(changed);
        if (report.valid || !report.fault?.reason) throw new Error('Not found out');
      }),
      { numRuns: 2_000 },
    );
    expect(changes).toBeGreaterThanOrEqual(2_000);
  });

  it('is detected if everything is consistent except for the signatures', async () => {
    const stranger = generateKeyPairSync('ed25519').privateKey;
    const byStranger = (block: AuditBlock, hash: string) =>
      sign(null, Buffer.from(checkpointText(block.organizationId, block.sequence, hash)), stranger).toString('base64');
    const events = lines.flatMap((line, at) => (isOfKind('event')(line) ? [at] : []));
    const tampering: ((at: number) => string[])[] = [
      (at) => lines.toSpliced(at, 1),
      (at) => lines.with(at, lines[at]!.replace('"platform"', '"identity"').replace('"name": "', '"name": "x')),
      (at) => lines.toSpliced(at, 0, lines[at]!),
      (at) => lines.with(at, expiredLine(eventHash(lines[at]!))),
    ];
    for (const at of events) {
      for (const tamper of tampering) {
        for (const resign of [asItWas, byStranger]) {
          const changed = forge(tamper(at), resign);
          expect(await verifyExport(changed, { publicKey: log.publicKey })).toMatchObject({ valid: false });
          expect(await verifyExport(changed)).toMatchObject({ valid: false });
        }
      }
    }
  });

  it('is detected by its key if the whole export was forged', async () => {
    const stranger = generateKeyPairSync('ed25519');
    const resign = (block: AuditBlock, hash: string) =>
      sign(null, Buffer.from(checkpointText(block.organizationId, block.sequence, hash)), stranger.privateKey).toString(
        'base64',
      );
    const header = headerLine(organizationId, stranger.publicKey.export({ type: 'spki', format: 'pem' }).toString());
    const madeUp = forge(lines.with(0, header), resign);
    expect(await verifyExport(madeUp)).toMatchObject({ valid: true, keyGiven: false });
    expect(await check(madeUp)).toMatchObject({
      valid: false,
      fault: { line: 1, reason: expect.stringContaining('a public key other than') as unknown },
    });
  });

  it('names the first fault by its block', async () => {
    const at = lines.findLastIndex(isOfKind('event'));
    const { block } = sealedIn(lines[lines.findLastIndex(isOfKind('block'))]!);
    const report = await check(lines.with(at, lines[at]!.replace('"happen-thing"', '"other-thing"')));
    expect(report.fault).toMatchObject({
      sequence: block.sequence,
      reason: expect.stringContaining('not the sealed ones') as unknown,
    });
    const blocks = lines.flatMap((line, index) => (isOfKind('block')(line) ? [index] : []));
    const gap = lines.toSpliced(blocks[2]!, blocks[3]! - blocks[2]!);
    expect((await check(gap)).fault).toMatchObject({
      sequence: 3,
      reason: expect.stringContaining('missing, repeated or out of order') as unknown,
    });
  });

  it('is detected by a checkpoint if it was truncated between blocks with a new end', async () => {
    const cut = forge(lines.slice(0, lines.findLastIndex(isOfKind('block'))), asItWas);
    expect(await verifyExport(cut, { publicKey: log.publicKey })).toMatchObject({ valid: true });
    expect(await check(cut)).toMatchObject({
      valid: false,
      fault: { reason: expect.stringContaining('cut off') as unknown },
    });
  });

  it('is detected if an event is declared as expired, or an expiry block is missing', async () => {
    const at = lines.findIndex(isOfKind('event'));
    const passedOff = forge(lines.with(at, expiredLine(eventHash(lines[at]!))), asItWas);
    expect((await check(passedOff)).fault?.reason).toContain('no signed expiry block');
  });

  it('cannot have another format version or unsigned blocks', async () => {
    const at = lines.findIndex(isOfKind('block'));
    const older = lines.with(at, lines[at]!.replace('"version":1', '"version":0'));
    expect((await check(older)).fault?.reason).toContain('Format version 0 is not supported');
    expect((await check(lines.with(0, lines[0]!.replace('"version":1', '"version":2')))).fault?.reason).toContain(
      'Format version 2',
    );
    const unsigned = lines.with(at, lines[at]!.replace(/"signature":"[^"]+"/, '"signature":""'));
    expect((await check(unsigned)).fault?.reason).toContain('is not signed');
  });

  it('is found out where the database was changed behind the log', async () => {
    const { organizationId: own } = await (async () => {
      const { id } = await makeOrganization(test.coffer);
      await writeEvents(test.coffer, 3, { organizationId: id });
      await log.sealAll();
      return { organizationId: id };
    })();
    await test.owner.query(
      `update audit_events set data = '{"name": "nothing happened"}' where organization_id = $1 and data ->> 'name' = 'event 1'`,
      [own],
    );
    expect(await verifyExport(await exported(test.coffer, own))).toMatchObject({ valid: false });
    const { id: other } = await makeOrganization(test.coffer);
    await writeEvents(test.coffer, 3, { organizationId: other });
    await log.sealAll();
    await test.owner.query(`delete from audit_events where organization_id = $1 and data ->> 'name' = 'event 1'`, [
      other,
    ]);
    expect((await verifyExport(await exported(test.coffer, other))).fault?.reason).toContain('no signed expiry block');
  });
});
