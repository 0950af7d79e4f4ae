export { dnsRecordFor, newAccountKey, type AccountKey, type ExternalAccount } from './account-key.ts';
export * from './client.ts';
export { wordsOfProblem, type AcmeOrder, type Authorization } from './resource.ts';
