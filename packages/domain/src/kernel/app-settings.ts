import type { ServiceUrl } from './service-url.ts';

/** The services at which the operator can register an OAuth application for all connections. */
export const OAUTH_APPLICATIONS = ['azure', 'github', 'github_app'] as const;
export type OAuthApplication = (typeof OAUTH_APPLICATIONS)[number];

/** An application that the operator has registered. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A key of a service account of Google Cloud. */
export interface ServiceAccountKey {
  readonly clientEmail: string;
  readonly privateKeyId: string;
  /** PEM */
  readonly privateKey: string;
}

/** A GitHub App of the operator, whose installations connections use. */
export interface GitHubAppKey {
  readonly appId: string;
  /** PEM; RSA */
  readonly privateKey: string;
}

/** What connections to apps need of the operator. */
export interface AppSettings {
  readonly oauth: Readonly<Partial<Record<OAuthApplication, OAuthClient>>>;
  /** The service account that impersonates those of connections to Google Cloud. */
  readonly gcpServiceAccount?: ServiceAccountKey | undefined;
  readonly githubApp?: GitHubAppKey | undefined;
  readonly serviceUrls: readonly ServiceUrl[];
}

export const NO_APP_SETTINGS: AppSettings = { oauth: {}, serviceUrls: [] };
