import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseCidrs, type Context } from '../../kernel/index.ts';
import { createOutbound, type Outbound } from '../../outbound/index.ts';
import { S3Store, testCoffer, type TestCoffer } from '../../testing/index.ts';
import type { S3Accident } from '../../apps/aws/testing/s3.ts';
import { archivedLog, blocksIn, exported, logWorld, type LogWorld } from '../testing/log.ts';
import { linesOf, verifyExport } from '../verify.ts';
import { BucketExports } from './export-bucket.ts';
import { keepWithinLimit, releaseOldest, type SpaceDeps } from './release.ts';
import { auditBytes, AuditSpace } from './space.ts';

let test: TestCoffer;
let log: LogWorld;
let ctx: Context;
let outbound: Outbound;
let store: S3Store;
beforeAll(async () => {
  test = await testCoffer();
  log = await logWorld(test);
  ctx = test.coffer.contextFor({ type: 'platform', organizationId: undefined });
  outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
});
afterAll(async () => {
  await log.stop();
  await outbound.close();
  await test.close();
});
beforeEach(async () => {
  store = await new S3Store().start();
  said.splice(0);
});
afterEach(() => store.stop());

const said: string[] = [];
const say = (_: object, text: string) => void said.push(text);

const exportsOf = (secretAccessKey = store.keys.secretAccessKey) => {
  const keys = { ...store.keys, secretAccessKey };
  const io = { fetch: outbound.fetch, now: () => new Date(store.now()), pauseMs: 1 };
  return new BucketExports(io, { bucket: store.bucket, region: store.region, keys, url: store.url, prefix: 'coffer/' });
};

function depsWith(exports: BucketExports, maxBytes = 1e12): SpaceDeps {
  const space = new AuditSpace({
    pool: test.coffer.pool,
    now: test.coffer.now,
    log: log.deps.log,
    limit: { maxBytes, exports },
  });
  return { ...log.deps, log: { debug: say, info: say, warn: say, error: say }, space };
}

const bytes = () => auditBytes(test.coffer.pool);
const linesIn = async (object: Buffer): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of linesOf(Readable.from([zstdDecompressSync(object)]))) lines.push(line);
  return lines;
};

/** What is in the bucket and what is left are the whole log of before, and both verify. */
async function expectWhole(id: string, before: readonly string[]): Promise<void> {
  const object = [...store.objects].find(([key]) => key.startsWith(`coffer/audit-${id}-1-`))![1];
  const [lines, rest] = [await linesIn(object), await exported(test.coffer, id)];
  // The event of the release may be sealed already.
  expect([...blocksIn(lines), ...blocksIn(rest)].slice(0, before.length)).toEqual(before);
  for (const part of [lines, rest])
    expect(await verifyExport(part, { publicKey: log.publicKey })).toMatchObject({ valid: true, fault: null });
}

/** The whole log of an organization that has more than the others. */
async function world(): Promise<{ id: string; before: string[]; target: number }> {
  const id = await archivedLog(test, log);
  const before = blocksIn(await exported(test.coffer, id));
  return { id, before, target: (await bytes()) - 1 };
}

const eventsOf = async (id: string): Promise<object[]> => {
  await log.sealAll();
  const { rows } = await test.coffer.pool.query<{ data: object }>(
    `select data from audit_events where organization_id = $1 and type = 'audit_log.released'`,
    [id],
  );
  return rows.map(({ data }) => data);
};

describe('a bucket for exports', () => {
  it('gets the oldest segments before they are removed; objects and the rest are the whole log, and verify', async () => {
    const { before, target } = await world();
    const released = await releaseOldest(ctx, depsWith(exportsOf()), exportsOf(), target);
    expect(await bytes()).toBeLessThanOrEqual(target);
    const { organizationId: id, last } = released[0]!;
    const name = `audit-${id}-1-${last}.jsonl.zst`;
    expect([...store.objects.keys()]).toEqual([`coffer/${name}`]);
    expect(store.calls).toEqual([`PUT 200 coffer/${name}`, `GET 200 coffer/${name}`]);
    await expectWhole(id, before);
    expect(await eventsOf(id)).toEqual([expect.objectContaining({ file: name, firstSequence: 1, lastSequence: last })]);
  });

  it.each<[S3Accident, ...(S3Accident | undefined)[]]>([
    ['dropped', 'dropped', 'lost'],
    [500, 503, 'lost', undefined, 'truncated', 500],
    ['lost', undefined, 'dropped', 'truncated', 429],
  ])('that has accidents (%s, %s, …) has one whole object in the end', async (...accidents) => {
    const { id, before, target } = await world();
    store.accidents = accidents;
    const released = await releaseOldest(ctx, depsWith(exportsOf()), exportsOf(), target);
    expect(released.map(({ organizationId }) => organizationId)).toEqual([id]);
    expect(store.accidents).toEqual([]);
    expect(store.objects.size).toBe(1);
    await expectWhole(id, before);
  });

  it.each<[string, () => void, () => void]>([
    ['refuses', () => (store.accidents = Array<S3Accident>(99).fill(403)), () => (store.accidents = [])],
    ['does not answer', () => (store.accidents = Array<S3Accident>(99).fill('dropped')), () => (store.accidents = [])],
    [
      'keeps half of what it gets',
      () => (store.keep = (content) => content.subarray(0, content.length / 2)),
      () => (store.keep = (content) => content),
    ],
    [
      'changes what it gets',
      () => (store.keep = (content) => content.map((byte, index) => (index === 50 ? byte ^ 1 : byte)) as Buffer),
      () => (store.keep = (content) => content),
    ],
  ])(
    'that %s leaves all events in the log, with an error and a metric; they are exported when it is right',
    async (_, spoil, mend) => {
      const { id, before } = await world();
      const deps = depsWith(exportsOf(), await bytes());
      spoil();
      await keepWithinLimit(ctx, deps);
      expect(said.join()).toContain('could not be exported: they stay');
      expect(deps.space.exported).toEqual({ stored: 0, failed: 1, failing: 1 });
      expect(blocksIn(await exported(test.coffer, id))).toEqual(before);
      expect(await eventsOf(id)).toEqual([]);
      const spoilt = new Map([...store.objects].map(([key, content]) => [key, Buffer.from(content)]));
      mend();
      store.now = () => Date.now() + 3_600_000;
      await keepWithinLimit(ctx, deps);
      expect(deps.space.exported).toEqual({ stored: expect.any(Number), failed: 1, failing: 0 });
      expect((await eventsOf(id)).length).toBeGreaterThan(0);
      for (const [key, content] of spoilt) expect(store.objects.get(key)).toEqual(content);
      for (const key of spoilt.keys()) store.objects.delete(key);
      await expectWhole(id, before);
    },
  );

  it('has its object still after a stop before the removal, and the next attempt stores no other one', async () => {
    const { id, before, target } = await world();
    const deps = depsWith(exportsOf());
    // Refused by the database, after the object was stored.
    const signingKey = generateKeyPairSync('ed25519').privateKey;
    const stopped = releaseOldest(ctx, { ...deps, signingKey }, exportsOf(), target);
    await expect(stopped).rejects.toMatchObject({ code: '42501' });
    expect(blocksIn(await exported(test.coffer, id))).toEqual(before);
    expect(store.objects.size).toBe(1);
    await releaseOldest(ctx, deps, exportsOf(), target);
    expect(store.objects.size).toBe(1);
    await expectWhole(id, before);
  });

  it('never loses what somebody else has stored under a name', async () => {
    const { id, target } = await world();
    const deps = depsWith(exportsOf());
    const signingKey = generateKeyPairSync('ed25519').privateKey;
    await releaseOldest(ctx, { ...deps, signingKey }, exportsOf(), target).catch(() => undefined);
    const [[name]] = [...store.objects] as [[string, Buffer]];
    const theirs = Buffer.from('something of theirs');
    store.objects.set(name, theirs);
    await releaseOldest(ctx, deps, exportsOf(), target);
    expect(store.objects.get(name)).toBe(theirs);
    const [, other] = [...store.objects.keys()] as [string, string];
    expect(store.objects.size).toBe(2);
    expect(other.replace(/\.\d{4}-\d\d-\d\dT\d\d\./, '.')).toBe(name);
    expect(await eventsOf(id)).toEqual([expect.objectContaining({ file: other.replace('coffer/', '') })]);
  });
});

it('an object that is one endless line is not read to its end: it would be put together again with each part', async () => {
  const name = 'audit-x-1-2.jsonl.zst';
  const lines = Readable.from(Array.from({ length: 10_000 }, () => `${'a line '.repeat(20)}\n`));
  store.objects.set(`coffer/${name}`, zstdCompressSync(Buffer.alloc(2_000_000, 'x')));
  const looked: number[] = [];
  const stored = await exportsOf().store(name, lines as AsyncIterable<string>, async (content) => {
    looked.push(0);
    for await (const chunk of content) {
      if (chunk[0] === 0x78) looked[looked.length - 1]! += chunk.length;
    }
    return 1;
  });
  expect(stored.name).toMatch(/^audit-x-1-2\.\d/);
  expect(looked).toEqual([0, 0]);
});

it('an object of more bytes than an export of these blocks is not read to its end, and leaves the export another name', async () => {
  const name = 'audit-x-1-2.jsonl.zst';
  const sizes: number[] = [];
  const { fetch } = outbound;
  const io = {
    now: () => new Date(store.now()),
    fetch: async (...request: Parameters<typeof fetch>) => {
      const answer = await fetch(...request);
      sizes.push(answer.body.length);
      return answer;
    },
  };
  const access = { bucket: store.bucket, region: store.region, keys: store.keys, url: store.url, prefix: 'coffer/' };
  for (const length of [1_000_000, 97 * 1024 * 1024]) {
    store.objects.clear();
    store.objects.set(`coffer/${name}`, Buffer.alloc(length));
    const stored = await new BucketExports(io, access).store(name, Readable.from(['a line\n']), drained);
    expect(stored.name).toMatch(/^audit-x-1-2\.\d/);
  }
  expect(Math.max(...sizes)).toBeLessThan(1_000);
});

async function drained(content: AsyncIterable<Uint8Array>): Promise<number> {
  for await (const _ of content);
  return 1;
}

describe('the check of a bucket', () => {
  it('stores one object, however often', async () => {
    await exportsOf().check();
    await exportsOf().check();
    expect([...store.objects.keys()]).toEqual(['coffer/coffer-audit-exports']);
  });

  it('fails with what is wrong: another key, or a store that replaces objects', async () => {
    await expect(exportsOf('another').check()).rejects.toThrow('SignatureDoesNotMatch');
    store.knowsConditions = false;
    await expect(exportsOf().check()).rejects.toThrow('conditional writes');
  });
});
