import {
  OAUTH_APPLICATIONS,
  parseGitHubAppKey,
  parseServiceAccountKey,
  parseServiceUrls,
  type AppSettings,
  type OAuthApplication,
} from '@coffer/domain/offline';
import { z } from 'zod';
import { readBy } from './read-by.ts';

const idAt = (service: string) =>
  z.string().optional().describe(`The client ID of the OAuth application at ${service} for the connections of users`);
const secretOfIt = () => z.string().optional().describe('Its client secret');

/** What connections to apps need of the operator. */
export const appVariables = {
  COFFER_SERVICE_URLS: readBy(parseServiceUrls)
    .default([])
    .describe('Base URLs to which calls to services go instead: a private cloud, or a proxy'),
  COFFER_AZURE_CLIENT_ID: idAt('Microsoft Entra ID'),
  COFFER_AZURE_CLIENT_SECRET: secretOfIt(),
  COFFER_GITHUB_CLIENT_ID: idAt('GitHub'),
  COFFER_GITHUB_CLIENT_SECRET: secretOfIt(),
  COFFER_GITHUB_APP_ID: z
    .string()
    .regex(/^\d{1,18}$/, 'expected the number of a GitHub App')
    .optional()
    .describe('The ID of the GitHub App whose installations connections use'),
  COFFER_GITHUB_APP_PRIVATE_KEY: readBy(parseGitHubAppKey).optional().describe('A private key of it, in PEM'),
  COFFER_GITHUB_APP_CLIENT_ID: z.string().optional().describe('Its client ID'),
  COFFER_GITHUB_APP_CLIENT_SECRET: secretOfIt(),
  COFFER_GCP_SERVICE_ACCOUNT: readBy(parseServiceAccountKey)
    .optional()
    .describe('The JSON key of the service account that impersonates those of connections to Google Cloud'),
};

type AppVariables = Readonly<z.output<z.ZodObject<typeof appVariables>>>;

const variablesOf = (application: OAuthApplication) => {
  const name = `COFFER_${application.toUpperCase()}_CLIENT` as `COFFER_${Uppercase<OAuthApplication>}_CLIENT`;
  return { id: `${name}_ID`, secret: `${name}_SECRET` } as const;
};

/** What has to be set together: an application has an ID and a secret, a GitHub App a number and a key. */
const TOGETHER: readonly (readonly [string, string])[] = [
  ...OAUTH_APPLICATIONS.map(variablesOf).map(({ id, secret }) => [id, secret] as const),
  ['COFFER_GITHUB_APP_ID', 'COFFER_GITHUB_APP_PRIVATE_KEY'],
];

export const contradictionsOfApps = (set: Readonly<Record<string, string | undefined>>): string[] =>
  TOGETHER.flatMap(([one, other]) => {
    if (set[one] && !set[other]) return [`${other}: required with ${one}`];
    return set[other] && !set[one] ? [`${one}: required with ${other}`] : [];
  });

function githubAppOf({ COFFER_GITHUB_APP_ID: appId, COFFER_GITHUB_APP_PRIVATE_KEY: privateKey }: AppVariables) {
  return appId && privateKey ? { appId, privateKey } : undefined;
}

/** The same in the form of the domain. */
export const appSettingsOf = (config: AppVariables): AppSettings => ({
  oauth: Object.fromEntries(
    OAUTH_APPLICATIONS.flatMap((application) => {
      const { id, secret } = variablesOf(application);
      const { [id]: clientId, [secret]: clientSecret } = config;
      return clientId && clientSecret ? [[application, { clientId, clientSecret }]] : [];
    }),
  ),
  gcpServiceAccount: config.COFFER_GCP_SERVICE_ACCOUNT,
  githubApp: githubAppOf(config),
  serviceUrls: config.COFFER_SERVICE_URLS,
});
