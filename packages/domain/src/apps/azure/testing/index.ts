export * from './app-configuration.ts';
export * from './cloud.ts';
export * from './key-vault.ts';
export * from './graph.ts';
export * from './vault-certificates.ts';
