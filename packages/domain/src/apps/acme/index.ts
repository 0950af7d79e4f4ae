export { dnsRecordFor, newAccountKey, type AccountKey } from './account-key.ts';
export * from './client.ts';
export { wordsOfProblem, type Authorization } from './resource.ts';
