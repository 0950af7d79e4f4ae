import type { Caller, TestServer } from './test-server.ts';

/** A project with common steps for imports. */
export async function importing(test: TestServer) {
  const project = await test.project();
  const at = { workspaceId: project.id, environment: 'dev' };
  return {
    project,
    at,
    put: (secretName: string, secretValue: string, environment = 'dev') =>
      test.admin('POST', `/api/v4/secrets/${secretName}`, { projectId: project.id, environment, secretValue }),
    importInto: (environment: string, from: string, path = '/', call: Caller = test.admin, more: object = {}) =>
      call('POST', '/api/v1/secret-imports', {
        workspaceId: project.id,
        environment,
        path: '/',
        import: { environment: from, path },
        ...more,
      }),
    imports: async (environment = 'dev') =>
      (await test.admin('GET', `/api/v1/secret-imports?workspaceId=${project.id}&environment=${environment}&path=/`))
        .body.secretImports,
    list: async (call: Caller = test.admin, environment = 'dev') =>
      (
        await call(
          'GET',
          `/api/v3/secrets/raw?workspaceId=${project.id}&environment=${environment}&include_imports=true`,
        )
      ).body,
    read: (name: string, call: Caller = test.admin) =>
      call('GET', `/api/v3/secrets/raw/${name}?workspaceId=${project.id}&environment=dev&include_imports=true`),
  };
}
