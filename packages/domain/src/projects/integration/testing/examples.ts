/** For each destination: credentials, and the least that an integration with them needs. */
export const integrationExamples: Record<
  string,
  { auth: Record<string, string>; integration: Record<string, string> }
> = {
  'aws-parameter-store': {
    auth: { accessId: 'AKIAEXAMPLE', accessToken: 'example/secret/key' },
    integration: { region: 'eu-central-1', path: '/app/dev/' },
  },
  'aws-secret-manager': {
    auth: { accessId: 'AKIAEXAMPLE', accessToken: 'example/secret/key' },
    integration: { region: 'eu-central-1', app: 'app/dev' },
  },
  github: {
    auth: { accessToken: 'ghp_example' },
    integration: { owner: 'acme', app: 'web' },
  },
  'hashicorp-vault': {
    auth: { accessToken: 'hvs.example', url: 'https://vault.example.com' },
    integration: { app: 'secret', path: 'app/dev' },
  },
};
