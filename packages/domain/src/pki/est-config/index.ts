export * from './est-config.ts';
export * from './fields.ts';
export * from './passphrase.ts';
export * from './store.ts';
