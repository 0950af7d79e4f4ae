import { createOutbound, parseCidrs, type Outbound } from '@coffer/domain';
import { S3Store } from '@coffer/domain/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkExports, exportStoreOf } from './audit-exports.ts';
import { readConfig } from './config.ts';

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

const LIMIT = { COFFER_AUDIT_MAX_BYTES: '67108864' };
const variables = () => ({
  ...LIMIT,
  COFFER_AUDIT_EXPORT_S3_BUCKET: store.bucket,
  COFFER_AUDIT_EXPORT_S3_URL: `${store.url}/`,
  COFFER_AUDIT_EXPORT_S3_REGION: store.region,
  COFFER_AUDIT_EXPORT_S3_PREFIX: 'coffer/audit/',
  COFFER_AUDIT_EXPORT_S3_ACCESS_KEY_ID: store.keys.accessKeyId,
  COFFER_AUDIT_EXPORT_S3_SECRET_ACCESS_KEY: store.keys.secretAccessKey,
});
const said: string[] = [];
const log = pino({}, { write: (line) => void said.push(line) });
const check = (environment: Readonly<Record<string, string>>, fetch = outbound.fetch) =>
  checkExports(exportStoreOf(readConfig(environment).config, fetch)!, log);

describe('the store for exports of the audit log', () => {
  it('is the bucket of the configuration, and takes an object at the start', async () => {
    await check(variables());
    expect([...store.objects.keys()]).toEqual(['coffer/audit/coffer-audit-exports']);
    expect(exportStoreOf(readConfig(LIMIT).config, outbound.fetch)).toBeUndefined();
    expect(
      exportStoreOf(readConfig({ ...LIMIT, COFFER_AUDIT_EXPORT_DIRECTORY: '/exports' }).config, outbound.fetch),
    ).toMatchObject({
      place: '/exports',
    });
  });

  it('ends the start where it refuses, with the reason and without the secret', async () => {
    const wrong = { ...variables(), COFFER_AUDIT_EXPORT_S3_SECRET_ACCESS_KEY: 'another-secret' };
    const failure: unknown = await check(wrong).catch((error: unknown) => error);
    expect(String(failure)).toMatch(
      /COFFER_AUDIT_EXPORT_S3_BUCKET: nothing can be written there: .*SignatureDoesNotMatch/,
    );
    expect(String(failure)).not.toContain('another-secret');
    const guarded = createOutbound({ allow: [] });
    await expect(check(variables(), guarded.fetch)).rejects.toThrow('COFFER_OUTBOUND_ALLOW');
    await guarded.close();
  });

  it('does not end the start where it does not answer', async () => {
    store.accidents = Array<'dropped'>(2).fill('dropped');
    await check(variables());
    expect(said.join()).toContain('does not answer');
    expect(store.objects.size).toBe(0);
  });
});
