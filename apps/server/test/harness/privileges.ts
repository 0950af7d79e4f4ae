import type { Caller, TestServer } from './test-server.ts';

export interface Project {
  readonly id: string;
  readonly slug: string;
}

/** A project with a secret `DB` in dev and one in prod. */
export async function projectWithSecrets(test: TestServer): Promise<Project> {
  const project = await test.project();
  for (const environment of ['dev', 'prod'])
    await test.admin('POST', '/api/v4/secrets/DB', {
      projectId: project.id,
      environment,
      secretPath: '/',
      secretValue: environment,
    });
  return project;
}

/** The status with which one is answered who reads the value of such a secret. */
export async function reads({ call }: { call: Caller }, { id }: Project, environment = 'dev'): Promise<number> {
  const query = `projectId=${id}&environment=${environment}&secretPath=/&viewSecretValue=true`;
  return (await call('GET', `/api/v4/secrets/DB?${query}`)).status;
}
