import { describe, expect, it } from 'vitest';
import { newAccountKey, type AcmeClient } from '../../../../apps/acme/index.ts';
import type { Attempt } from '../../issuer.ts';
import { AcmeOrders } from './order.ts';

const AUTHORIZATION = 'https://ca.example/authorization';

/** The names of the records for an order of these names, at an authority that asks for that one. */
async function recordsFor(names: readonly string[], asked: string, authorizations = 1): Promise<string[]> {
  const made: string[] = [];
  const challenges = [{ type: 'dns-01', token: 'a-token', url: 'https://ca.example/challenge', status: 'pending' }];
  const authorization = { status: 'pending', identifier: { type: 'dns', value: asked }, challenges };
  const order = { status: 'pending', authorizations: Array.from({ length: authorizations }, () => AUTHORIZATION) };
  const client = {
    getOrder: () => Promise.resolve({ resource: order }),
    getAuthorization: () => Promise.resolve({ resource: authorization }),
  } as unknown as AcmeClient;
  const zone = {
    addText: (name: string) => Promise.resolve(void made.push(name)),
    removeText: () => Promise.resolve(),
  };
  const attempt = {
    order: { altNames: names.map((value) => ({ type: 'dns', value })) },
    progress: { url: 'https://ca.example/order' },
    keep: () => Promise.resolve(),
  } as unknown as Attempt;
  await new AcmeOrders(() => Promise.resolve(client), await newAccountKey(), zone).advance(attempt);
  return made;
}

describe('an order at an ACME authority', () => {
  it('makes records for the names that were ordered, and for no others', async () => {
    expect(await recordsFor(['app.example.com'], 'app.example.com')).toEqual(['_acme-challenge.app.example.com']);
    expect(await recordsFor(['*.App.example.com'], 'app.example.com')).toEqual(['_acme-challenge.app.example.com']);
    for (const other of ['example.com', 'b.app.example.com', 'x.example.com', '', '*.app.example.com'])
      await expect(recordsFor(['app.example.com'], other)).rejects.toMatchObject({ code: 'remote.malformed' });
  });

  it('makes no more records than names', async () => {
    await expect(recordsFor(['app.example.com'], 'app.example.com', 400)).rejects.toMatchObject({
      code: 'remote.malformed',
    });
  });
});
