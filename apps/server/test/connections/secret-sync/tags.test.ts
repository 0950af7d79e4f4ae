import { AwsAccount, StandIns, syncTargets } from '@coffer/domain/testing';
import { describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../../harness/groups.ts';
import { SyncWorld } from '../../harness/secret-syncs.ts';
import { besideStandIns } from '../../harness/stand-in-server.ts';
import type { TestServer } from '../../harness/test-server.ts';

let test: TestServer;
const standIns = besideStandIns((made) => void (test = made));

interface Metadata {
  readonly key: string;
  readonly value: string;
  readonly isEncrypted?: boolean;
}
/** How tags are read and set at AWS, past Coffer. */
const DESTINATIONS = {
  'aws-secrets-manager': (aws: AwsAccount, name: string) => aws.secrets.get(name)!,
  'aws-parameter-store': (aws: AwsAccount, name: string) => aws.parameters.get(`/app/dev/${name}`)!,
};

describe.each(Object.entries(DESTINATIONS))('tags by %s', (destination, at) => {
  async function world() {
    const aws = new AwsAccount();
    const example = syncTargets[destination]!();
    const credentials = { method: 'access-key', ...aws.keys };
    const target = { ...example, credentials, serve: (to: StandIns) => aws.serve(to) };
    const one = await SyncWorld.make(test, standIns, destination, target);
    const write = (name: string, secretMetadata: readonly Metadata[], method: 'POST' | 'PATCH' = 'PATCH') =>
      ok(
        test.admin(method, `/api/v4/secrets/${name}`, {
          ...{ projectId: one.project.id, environment: 'dev', secretPath: '/', secretMetadata },
          ...(method === 'POST' && { secretValue: 'value' }),
        }),
      );
    const tagsOf = (name: string) =>
      Object.fromEntries((at(aws, name).tags ?? []).map(({ Key, Value }) => [Key, Value]));
    return { one, aws, write, tagsOf };
  }

  it('are the metadata of each secret, with the configured tags, and follow them', async () => {
    const { one, aws, write, tagsOf } = await world();
    const secret = { key: 'secret', value: 'hidden', isEncrypted: true };
    await write('A', [{ key: 'team', value: 'web' }, { key: 'tier', value: '1' }, secret], 'POST');
    await write('B', [], 'POST');
    const tags = [{ key: 'team', value: 'platform' }];
    const made = await one.create({ syncOptions: { tags, syncSecretMetadataAsTags: true } });
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect([tagsOf('A'), tagsOf('B')]).toEqual([{ team: 'platform', tier: '1' }, { team: 'platform' }]);
    // Only the metadata change; others add a tag.
    at(aws, 'A').tags!.push({ Key: 'theirs', Value: 'x' }, { Key: 'aws:made-by', Value: 'AWS' });
    await write('A', [{ key: 'owner', value: 'shop' }]);
    await one.project.follow();
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(tagsOf('A')).toEqual({ team: 'platform', owner: 'shop', 'aws:made-by': 'AWS' });
    const before = standIns.called.length;
    await one.ask(made, 'sync-secrets');
    await one.run(made);
    expect(standIns.called.slice(before).length).toBeLessThan(5);
  });

  it('that AWS rejects are reported for their secret; the others get theirs', async () => {
    const { one, write, tagsOf } = await world();
    await write('A', [{ key: 'no#tag', value: 'x' }], 'POST');
    await write('B', [{ key: 'team', value: 'web' }], 'POST');
    const made = await one.create({ syncOptions: { syncSecretMetadataAsTags: true } });
    expect(await one.run(made)).toMatchObject({
      ...{ syncStatus: 'failed', lastSyncMessage: expect.stringContaining('A: ') },
    });
    expect([tagsOf('A'), tagsOf('B')]).toEqual([{}, { team: 'web' }]);
  });

  it('stay as they are without the option', async () => {
    const { one, write, tagsOf } = await world();
    await write('A', [{ key: 'team', value: 'web' }], 'POST');
    await one.run(await one.create());
    expect(tagsOf('A')).toEqual({});
  });
});

describe('syncSecretMetadataAsTags', () => {
  it('is rejected for one secret that has all', async () => {
    const one = await SyncWorld.make(test, standIns, 'aws-secrets-manager');
    const destinationConfig = { ...one.target.config, mappingBehavior: 'many-to-one', secretName: 'app/dev' };
    const syncOptions = { syncSecretMetadataAsTags: true };
    await expectRefused(one.post({ destinationConfig, syncOptions }), 400, 'one-to-one');
  });
});
