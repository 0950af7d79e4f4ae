import { afterAll, beforeAll, expect, it } from 'vitest';
import { changes } from '../app/changes.ts';
import { statement, type Context } from '../kernel/index.ts';
import { askAtOnce } from '../secrets/approval/testing/ask-at-once.ts';
import { createFolder } from '../secrets/folder/create.ts';
import { createTag } from '../secrets/tag/tag.service.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../testing/index.ts';
import { STORED_NAMED_FOLDERS } from './0113-named-folders.ts';

let test: TestCoffer;
let ctx: Context;
let projectId: string;
beforeAll(async () => {
  test = await testCoffer();
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  ctx = test.coffer.contextFor(admin.actor);
  projectId = (await makeProject(test.coffer, organizationId, admin.actor)).id;
});
afterAll(() => test.close());

const STORED = statement(
  'test.named_folders',
  `select name, path, c.folder_id, folder_path, tag_slugs, case when r.has_merged then created_id end as created_id
   from secret_approval_changes c join secret_approval_requests r on r.id = c.request_id
   where c.project_id = $1 order by name, path`,
);

it('finds what changes of earlier releases named and created, where only one secret may have come of them', async () => {
  const ask = askAtOnce(test);
  await createFolder(ctx, { projectId, environment: 'prod', path: '/', name: 'app', description: null });
  const { id: tagId } = await createTag(ctx, { projectId, slug: 'null', color: '' });
  const place = { projectId, environment: 'prod', secretPath: '/app' };
  const secret = (secretKey: string, tagIds: string[] = []) => ({ secretKey, secretValue: '1', tagIds });
  const prod = { projectId, slug: 'prod' };
  const merged = [secret('MERGED', [tagId]), secret('REPLACED')];
  await ask(ctx, prod, ['createSecrets', { ...place, secrets: merged }], true);
  await ask(ctx, prod, ['createSecrets', { ...place, secrets: [secret('CLOSED', [tagId])] }], false);
  await changes.updateSecret.run(ctx, { ...place, secretName: 'REPLACED', secretValue: '2', type: 'shared' });
  await changes.deleteSecret.run(ctx, { ...place, secretName: 'MERGED', type: 'shared' });

  const stored = await ctx.sql<{ name: string; created_id: string | null }>(STORED, [projectId]);
  expect(stored).toMatchObject([
    { name: 'CLOSED', folder_path: '/app', tag_slugs: ['null'], created_id: null },
    { name: 'MERGED', folder_path: '/app', tag_slugs: ['null'], created_id: expect.any(String) },
    { name: 'REPLACED', folder_path: '/app', tag_slugs: [], created_id: expect.any(String) },
  ]);
  const forget = `update secret_approval_changes
    set folder_id = null, folder_path = null, tag_slugs = null, created_id = null where project_id = $1`;
  await test.coffer.pool.query(forget, [projectId]);
  await test.coffer.pool.query(STORED_NAMED_FOLDERS);
  expect(await ctx.sql(STORED, [projectId])).toEqual(stored);
});
