import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AlertWorld, email, SIGNING_SECRET, slack, webhook } from '../../harness/alerts.ts';
import { TIME } from '../../harness/folder-tree.ts';
import { openReceiver, signatureOf } from '../../harness/receiver.ts';

// The channels of alerts; for what is notified, and when, see pki/alert/notified.test.ts.

let world: AlertWorld;
beforeAll(async () => void (world = await AlertWorld.open()));
afterAll(() => world.close());
beforeEach(() => world.begin());

describe('a channel', () => {
  it('that is a webhook is called, signed as others are', async () => {
    const leaf = await world.soon(undefined, { friendlyName: 'Front door' });
    const made = await world.make({ channels: [world.hook()] });
    const [call, ...others] = await world.called();
    expect(others).toEqual([]);
    expect(call).toMatchObject({ method: 'POST', url: '/hook' });
    expect(call!.body).toEqual({
      event: 'certificate.expiration',
      id: call!.headers['idempotency-key'],
      alert: {
        id: made.id,
        name: 'ends-soon',
        eventType: 'expiration',
        alertBefore: '30d',
        projectId: world.of.projectId,
        projectName: expect.any(String),
      },
      certificates: [
        {
          id: leaf.id,
          type: 'certificate',
          commonName: expect.stringContaining('leaf-'),
          altNames: expect.stringContaining('leaf-'),
          serialNumber: leaf.serialNumber,
          friendlyName: 'Front door',
          profileName: null,
          notBefore: TIME,
          notAfter: TIME,
        },
      ],
      total: 1,
      timestamp: expect.any(Number),
    });
    expect(call!.headers['x-coffer-signature']).toBe(signatureOf(SIGNING_SECRET, call!));
    expect(call!.headers['x-infisical-signature']).toBe(signatureOf(SIGNING_SECRET, call!));
  });

  it('of Slack gets a message in its format, without links from user input', async () => {
    await world.of.issue(world.ca.id, { ttl: '20d', commonName: 'a&b', altNames: '', friendlyName: '' });
    await world.make({ channels: [slack(`${world.receiver.url}/slack`, { channel: '#ops', mentionUsers: ['U123'] })] });
    const [call] = await world.called();
    expect(call!.body).toMatchObject({ channel: '#ops', text: '<@U123> 1 certificate expires soon' });
    expect(call!.body.attachments[0].text).toContain('a&amp;b');
    expect(call!.headers['x-coffer-signature']).toBeUndefined();
  });

  it('that fails delays no other, and is notified later', async () => {
    await world.soon();
    world.receiver.answer((req, res) => void res.writeHead(req.url === '/bad' ? 500 : 200).end('a secret of theirs'));
    const made = await world.make({
      channels: [webhook(`${world.receiver.url}/bad`), world.hook(), email('ops@example.com')],
    });
    expect((await world.called()).map(({ url }) => url).toSorted()).toEqual(['/bad', '/hook']);
    expect(await world.sent()).toHaveLength(1);
    const failed = { status: 'failed', error: `${new URL(world.receiver.url).host} answered 500` };
    expect(await world.lastRun(made.id)).toMatchObject(failed);
    world.receiver.answer();
    await world.tryAgain();
    expect((await world.called()).map(({ url }) => url)).toEqual(['/bad']);
    expect(await world.sent()).toEqual([]);
    expect(await world.lastRun(made.id)).toMatchObject({ status: 'success', error: null });
  });

  it('without a response leaves time for other work, for any number of alerts', async () => {
    const dead = await openReceiver();
    const held: (() => void)[] = [];
    dead.answer((_req, res) => void held.push(() => res.end()));
    await world.soon();
    for (const n of [1, 2, 3, 4, 5]) await world.make({ name: `n-${n}`, channels: [webhook(dead.url)] });
    await world.make({ channels: [world.hook(), email('ops@example.com')] });
    await expect.poll(() => world.mail.received.length + world.receiver.received.length).toBe(2);
    dead.answer();
    for (const end of held) end();
    await expect.poll(() => dead.received.length).toBe(5);
    await world.settled();
    await dead.close();
  });

  it('cannot reach forbidden hosts, nor disclose more than the host name', async () => {
    await world.soon();
    const made = await world.make({ channels: [webhook('http://169.254.169.254/latest?token=hidden')] });
    await world.settled();
    const { status, error } = await world.lastRun(made.id);
    expect(status).toBe('failed');
    expect(error).toContain('169.254.169.254');
    expect(error).not.toMatch(/latest|hidden/);
  });
});
