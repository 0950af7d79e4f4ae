export * from './est-config.ts';
export * from './store.ts';
