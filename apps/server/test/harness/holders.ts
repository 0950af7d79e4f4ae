import type { Rule } from '@coffer/domain';
import { Groups, ok, type Ref } from './groups.ts';
import type { TestServer } from './test-server.ts';

const HOUR = 3_600_000;

/** A project of a test server, and people and machines with rights in it, given by every kind of grant. */
export class Holders extends Groups {
  readonly #test: () => TestServer;

  constructor(test: () => TestServer) {
    super(test);
    this.#test = test;
  }

  /** A person with these built-in or custom roles in a project. */
  async personIn(project: Ref, ...roleSlugs: string[]) {
    const person = await this.person();
    const add = { usernames: [person.username], emails: [], roleSlugs };
    const { memberships } = await ok(this.#test().admin('POST', `/api/v1/projects/${project.id}/memberships`, add));
    return { ...person, membershipId: memberships[0].id as string };
  }

  /** An additional privilege of a machine identity, forever or for the hour that begins after this many hours. */
  async privilege(project: Ref, identity: Ref, permissions: readonly Rule[], afterHours?: number) {
    const type =
      afterHours === undefined
        ? { isTemporary: false }
        : {
            isTemporary: true,
            temporaryMode: 'relative',
            temporaryRange: '1h',
            temporaryAccessStartTime: new Date(this.#test().coffer.now().getTime() + afterHours * HOUR).toISOString(),
          };
    const body = { projectId: project.id, identityId: identity.id, permissions, type };
    const made = await ok(this.#test().admin('POST', '/api/v2/identity-project-additional-privilege', body));
    return made.privilege as { id: string; slug: string; temporaryAccessEndTime: string | null };
  }

  /** A folder with a secret in it. */
  async secret(project: Ref, environment: string, secretPath: string, name: string, tags: readonly string[] = []) {
    let path = '/';
    for (const folder of secretPath.split('/').filter(Boolean)) {
      await this.#test().admin('POST', '/api/v2/folders', { projectId: project.id, environment, path, name: folder });
      path = path === '/' ? `/${folder}` : `${path}/${folder}`;
    }
    const tagIds: string[] = [];
    for (const slug of tags) {
      const { workspaceTags } = await ok(this.#test().admin('GET', `/api/v1/projects/${project.id}/tags`));
      const tag =
        workspaceTags.find((one: { slug: string }) => one.slug === slug) ??
        (await ok(this.#test().admin('POST', `/api/v1/projects/${project.id}/tags`, { slug, color: '' }))).workspaceTag;
      tagIds.push(tag.id);
    }
    await ok(
      this.#test().admin('POST', `/api/v4/secrets/${name}`, {
        projectId: project.id,
        environment,
        secretPath,
        secretValue: 'zvaluez',
        tagIds,
      }),
    );
  }
}
