import { expect } from 'vitest';
import type { Answer, Caller, TestServer } from './test-server.ts';

export const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** A returned folder with these fields. */
export const folder = (fields: object) => ({
  id: UUID,
  name: expect.any(String),
  version: 1,
  createdAt: TIME,
  updatedAt: TIME,
  envId: UUID,
  parentId: UUID,
  isReserved: false,
  description: null,
  lastSecretModified: null,
  ...fields,
});

/** Common steps for trees of folders, all in the environment `dev` of a project. */
export interface FolderTree {
  make(projectId: string, path: string, call?: Caller): Promise<Answer>;
  idAt(projectId: string, path: string): Promise<string>;
  /** All paths that a caller sees, in order. */
  paths(projectId: string, call?: Caller): Promise<string[]>;
  /** The names of the folders in a folder. */
  names(projectId: string, path: string, call?: Caller): Promise<string[]>;
  setSecret(projectId: string, path: string, name: string, value?: string): Promise<Answer>;
  getSecret(projectId: string, path: string, name: string): Promise<Answer>;
  /** Checks in the database that each path follows from the names above it. */
  requireSound(projectId: string): Promise<void>;
}

export function folderTree(test: TestServer): FolderTree {
  const { admin } = test;
  const list = async (projectId: string, query: string, call: Caller) =>
    (await call('GET', `/api/v1/folders?workspaceId=${projectId}&environment=dev&${query}`)).body.folders;
  return {
    make(workspaceId, path, call = admin) {
      const [name, parent] = [path.slice(path.lastIndexOf('/') + 1), path.slice(0, path.lastIndexOf('/')) || '/'];
      return call('POST', '/api/v1/folders', { workspaceId, environment: 'dev', name, path: parent });
    },
    idAt: async (projectId, path) =>
      (await admin('GET', `/api/v2/folders/${projectId}/dev/${encodeURIComponent(path)}`)).body.folder.id,
    paths: async (projectId, call = admin) =>
      (await list(projectId, 'recursive=true', call)).map((one: { relativePath: string }) => one.relativePath),
    names: async (projectId, path, call = admin) =>
      (await list(projectId, `path=${path}`, call)).map((one: { name: string }) => one.name),
    setSecret: (workspaceId, secretPath, name, secretValue = 'v') =>
      admin('POST', `/api/v3/secrets/raw/${name}`, { workspaceId, environment: 'dev', secretPath, secretValue }),
    getSecret: (workspaceId, secretPath, name) =>
      admin(
        'GET',
        `/api/v3/secrets/raw/${name}?workspaceId=${workspaceId}&environment=dev&secretPath=${secretPath}&expandSecretReferences=true`,
      ),
    requireSound: async (projectId) => {
      const wrong = await test.coffer.query(SOUND, [projectId]);
      expect(wrong).toEqual([]);
    },
  };
}

const SOUND = {
  name: 'test.sound_tree',
  text: `select f.path from folders f left join folders p on p.id = f.parent_id
    where f.project_id = $1 and f.path <> case
      when p.id is null then '/' when p.path = '/' then '/' || f.name else p.path || '/' || f.name end`,
};
