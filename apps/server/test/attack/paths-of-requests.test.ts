import { describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../harness/approvals.ts';
import { ok } from '../harness/groups.ts';

const HIDDEN = 'hidden-folder';

let of: Approvals;
let author: Member;
let ann: Member;
approvalTests(async (project) => {
  of = project;
  [author, ann] = [await of.member(), await of.member()];
  await of.folder('/', HIDDEN);
  await of.folder('/', 'open');
  await of.policy([ann]);
});

/** What a reader of all requests, who sees `/open` alone, is answered. */
const reader = () =>
  of.member([
    { subject: 'secret-approval', action: 'read' },
    {
      ...{ subject: 'secrets', action: ['describeSecret', 'readValue'] },
      conditions: { environment: 'prod', secretPath: '/open' },
    },
  ]);

/** Somebody from whom `/closed` is hidden: what a request tells them, and how a folder gets that name. */
async function readerOf(id: string) {
  const closed = { subject: 'secret-folders', action: 'read', inverted: true, conditions: { secretPath: '/closed' } };
  const seen = { subject: 'secrets', action: 'describeSecret' };
  const { call } = await of.member([{ subject: 'secret-approval', action: 'read' }, seen, closed]);
  const body = { projectId: of.project.id, environment: 'prod', path: '/', name: 'closed' };
  return {
    told: async () => JSON.stringify([await of.requests(call), (await ok(of.get(call, id))).approval]),
    close: (folder: { id: string }) => ok(of.test.admin('PATCH', `/api/v2/folders/${folder.id}`, body)),
  };
}

describe('attack: somebody who may read the change requests of a project', () => {
  it('is shown no path of a folder that they do not see, in a list or in a request', async () => {
    const { id } = (await ok(of.write(author.call, 'A', '1', `/${HIDDEN}`))).approval;
    await of.ask(author.call, 'B', '2', '/open');
    const { call } = await reader();
    const listed = await of.requests(call);
    expect(listed).toMatchObject([
      { secretPath: '/open', commits: [{ secretPath: '/open' }] },
      { id, secretPath: null, commits: [{ secretPath: null }] },
    ]);
    const { approval } = await ok(of.get(call, id));
    expect(approval).toMatchObject({ secretPath: null, commits: [{ secretPath: null, after: { secretPath: null } }] });
    expect(JSON.stringify([listed, approval])).not.toContain(HIDDEN);
  });

  it('is shown no path of a folder that is renamed', async () => {
    const folder = await of.folder('/', `${HIDDEN}-too`);
    const body = { projectId: of.project.id, environment: 'prod', path: '/', name: `${HIDDEN}-renamed` };
    const { id } = (await ok(author.call('PATCH', `/api/v2/folders/${folder.id}`, body))).approval;
    const { call } = await reader();
    const answers = [await of.requests(call), (await ok(of.get(call, id))).approval];
    expect(JSON.stringify(answers)).not.toContain(HIDDEN);
  });

  it('is shown no former path of a folder that is hidden from them now', async () => {
    const folder = await of.folder('/', 'formerly-open');
    const id = await of.ask(author.call, 'A', '1', '/formerly-open');
    const { told, close } = await readerOf(id);
    expect(await told()).toContain('formerly-open');
    await close(folder);
    expect(await told()).not.toContain('formerly-open');
  });

  it.each([['waits'], ['is merged']])(
    'is shown no former path of a folder from which a request that %s moves, hidden from them now',
    async (state) => {
      const folder = await of.folder('/', 'formerly-open');
      const secret = await of.secret('A', '1', '/formerly-open');
      const move = {
        ...{ projectId: of.project.id, sourceEnvironment: 'prod', sourceSecretPath: '/formerly-open' },
        ...{ destinationEnvironment: 'prod', destinationSecretPath: '/open', secretIds: [secret.id] },
      };
      const { id } = (await ok(author.call('POST', '/api/v4/secrets/move', move))).approval;
      if (state === 'is merged') {
        await ok(of.review(ann.call, id));
        await ok(of.merge(author.call, id));
      }
      const { told, close } = await readerOf(id);
      expect(await told()).toContain('formerly-open');
      await close(folder);
      expect(await told()).not.toContain('formerly-open');
      expect(await told()).toContain('"/open"');
    },
  );

  it('is shown all paths of a request that they have made or may approve', async () => {
    const rules = [{ subject: 'secrets', action: 'create', conditions: { environment: 'prod', secretName: 'A' } }];
    const writer = await of.member(rules);
    const { id } = (await ok(of.write(writer.call, 'A', '1', `/${HIDDEN}`))).approval;
    for (const { call } of [writer, ann])
      expect((await ok(of.get(call, id))).approval).toMatchObject({
        secretPath: `/${HIDDEN}`,
        commits: [{ secretPath: `/${HIDDEN}` }],
      });
  });
});
