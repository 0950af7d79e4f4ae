// What works without a database and without the rest of the domain: the configuration of a server, its root key, and the
// verification of audit logs. Importing it takes a twentieth of the time of the whole package.

export { REGION as AWS_REGION } from './apps/aws/service.ts';
export { parseGitHubAppKey } from './apps/github/app-key.ts';
export { parseServiceAccountKey } from './apps/gcp/service-account.ts';
export { chunksOfFile, linesOf, verifyExport, type Checkpoint } from './audit/verify.ts';
export { makeRootKey, parseRootKey, type RootKey } from './crypto/root-key.ts';
export * from './kernel/address.ts';
export * from './kernel/remembering.ts';
export { DEFAULT_SETTINGS, SHORTEST_PASSWORD, SHORTEST_SESSION } from './kernel/context.ts';
export * from './kernel/duration.ts';
export * from './kernel/errors.ts';
export * from './kernel/app-settings.ts';
export * from './kernel/service-url.ts';
export * from './kernel/share.ts';
