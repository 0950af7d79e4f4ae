import type { Rule } from '@coffer/domain';
import type { Caller, TestServer } from './test-server.ts';

/** A project with /app in dev: A and B created in one commit, A changed in the second, B deleted in the third. */
export async function makeHistory(test: TestServer) {
  const { admin } = test;
  const project = await test.project();
  const at = { projectId: project.id, environment: 'dev', secretPath: '/app' };
  const base = `/api/v1/projects/${project.id}`;
  const query = 'environment=dev&secretPath=/app';
  await admin('POST', '/api/v2/folders', { ...at, name: 'app', path: '/' });
  const secrets = ['A', 'B'].map((secretKey) => ({ secretKey, secretValue: `first ${secretKey}` }));
  await admin('POST', '/api/v4/secrets/batch', { ...at, secrets });
  await admin('PATCH', '/api/v4/secrets/A', { ...at, secretValue: 'second A', secretComment: 'why' });
  test.advance(60_000);
  const between = new Date(test.coffer.now().getTime() - 30_000).toISOString();
  await admin('DELETE', '/api/v4/secrets/B', at);
  const values = async (): Promise<Record<string, string>> => {
    const { body } = await admin('GET', `/api/v4/secrets?${new URLSearchParams(at).toString()}`);
    return Object.fromEntries(
      body.secrets.map((one: { secretKey: string; secretValue: string }) => [one.secretKey, one.secretValue]),
    );
  };
  const commits = async (more = '') => (await admin('GET', `${base}/commits?${query}${more}`)).body;
  const withRules = async (rules: Rule[]) => (await test.identity({ projectId: project.id, rules })).call;
  /** The newest revision of the project. */
  const revision = async (): Promise<number> =>
    (await admin('GET', `${base}/history/tree?environment=dev&secretPath=/none`)).body.tree.revision;
  const restore = (more: object, call: Caller = admin) => call('POST', `${base}/history/restore`, { ...at, ...more });
  const folderId = async (name: string): Promise<string> =>
    (await admin('GET', `/api/v2/folders?projectId=${project.id}&environment=dev`)).body.folders.find(
      (folder: { name: string }) => folder.name === name,
    ).id;
  const renameFolder = async (from: string, name: string) =>
    admin('PATCH', `/api/v2/folders/${await folderId(from)}`, { ...at, path: '/', name });
  /** Moves a secret of /app to the root of an environment. */
  const moveAway = async (secretKey: string, destinationEnvironment: string) => {
    const { body } = await admin('GET', `/api/v4/secrets/${secretKey}?${new URLSearchParams(at).toString()}`);
    return admin('POST', '/api/v4/secrets/move', {
      projectId: project.id,
      sourceEnvironment: 'dev',
      sourceSecretPath: '/app',
      destinationEnvironment,
      destinationSecretPath: '/',
      secretIds: [body.secret.id],
    });
  };
  return {
    ...{ project, at, base, query, between, values, commits, withRules },
    ...{ revision, restore, folderId, renameFolder, moveAway },
  };
}

export const everySecret: Rule = {
  subject: 'secrets',
  action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'],
};
export const everyFolder: Rule = { subject: 'secret-folders', action: ['create', 'edit', 'delete'] };
export const commitsRead: Rule = { subject: 'commits', action: 'read' };
export const commitsAll: Rule = { subject: 'commits', action: ['read', 'perform-rollback'] };
