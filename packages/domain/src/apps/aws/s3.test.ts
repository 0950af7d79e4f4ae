import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRemote } from '../../family/index.ts';
import { parseCidrs } from '../../kernel/address.ts';
import { createOutbound, type Outbound } from '../../outbound/index.ts';
import { Bucket, type BucketAccess } from './s3.ts';
import { S3Store, type S3Accident } from './testing/s3.ts';

let store: S3Store;
let outbound: Outbound;
beforeEach(async () => {
  store = await new S3Store().start();
  outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
});
afterEach(async () => {
  await outbound.close();
  store.stop();
});

const content = randomBytes(100_000);
const bucketOf = (more: Partial<BucketAccess> = {}, fetch = outbound.fetch) =>
  new Bucket(
    { fetch, now: () => new Date(), pauseMs: 1 },
    { url: store.url, bucket: store.bucket, region: store.region, keys: store.keys, ...more },
  );
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a bucket', () => {
  it('stores an object under a new key alone, and gives it back', async () => {
    const bucket = bucketOf();
    expect(await bucket.putNew('a/b.zst', content)).toBe(true);
    expect(await bucket.putNew('a/b.zst', Buffer.from('other'))).toBe(false);
    expect(Buffer.from(await bucket.get('a/b.zst', 1_000_000)).equals(content)).toBe(true);
    expect(store.calls).toEqual(['PUT 200 a/b.zst', 'PUT 412 a/b.zst', 'GET 200 a/b.zst']);
  });

  it('does not look at an error that is as long as an object', async () => {
    const answers = (length: number) => async () => {
      const text = `<Error><Code>AccessDenied</Code><Message>${'x'.repeat(length)}</Message></Error>`;
      const body = Buffer.from(text);
      return { status: 403, headers: {}, body, text: () => text, json: () => undefined };
    };
    const refusal = (length: number) => failureOf(bucketOf({}, answers(length)).get('a', 1_000_000));
    expect(await refusal(1_000)).toMatchObject({ message: expect.stringContaining('AccessDenied') });
    expect(await refusal(100_000)).toMatchObject({ message: expect.stringMatching(/reports: status 403$/) });
  });

  it.each<[S3Accident]>([['dropped'], [500], [503], [409], [429]])('is asked again after %s', async (accident) => {
    store.accidents = [accident, accident];
    expect(await bucketOf().putNew('a', content)).toBe(true);
    store.accidents = [accident];
    expect(Buffer.from(await bucketOf().get('a', 1_000_000)).equals(content)).toBe(true);
    expect(store.calls).toHaveLength(5);
  });

  it('has the object where an answer was lost, and is asked again for one that was cut', async () => {
    store.accidents = ['lost', undefined, 'truncated', 'truncated'];
    expect(await bucketOf().putNew('a', content)).toBe(false);
    expect(Buffer.from(await bucketOf().get('a', 1_000_000)).equals(content)).toBe(true);
    expect(store.calls.map((call) => call.slice(0, 7))).toEqual([
      'PUT 200',
      'PUT 412',
      'GET 200',
      'GET 200',
      'GET 200',
    ]);
  });

  it('is given up after some tries', async () => {
    store.accidents = Array<S3Accident>(10).fill(503);
    expect(isRemote(await failureOf(bucketOf().putNew('a', content)), 'throttled')).toBe(true);
    expect(store.calls).toHaveLength(5);
    store.accidents = Array<S3Accident>(10).fill('dropped');
    expect(await failureOf(bucketOf().get('a', 10))).toMatchObject({ code: 'outbound.unreachable' });
  });

  it.each([
    ['wrong keys', { keys: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'another' } }, 'SignatureDoesNotMatch'],
    ['another region', { region: 'us-east-1' }, 'SignatureDoesNotMatch'],
    ['another bucket', { bucket: 'others' }, 'NoSuchBucket'],
  ])('that refuses %s is asked once, and the reason is known', async (_, more, reason) => {
    const failure = await failureOf(bucketOf(more).putNew('a', content));
    expect(isRemote(failure, 'rejected')).toBe(true);
    expect(String(failure)).toContain(reason);
    expect(String(failure)).not.toContain('another');
    expect(store.calls).toHaveLength(1);
  });

  it('at a private address is asked only where the operator allows it', async () => {
    const guarded = createOutbound({ allow: [] });
    expect(await failureOf(bucketOf({}, guarded.fetch).putNew('a', content))).toMatchObject({
      code: 'outbound.refused',
    });
    await guarded.close();
    expect(store.calls).toEqual([]);
  });
});
