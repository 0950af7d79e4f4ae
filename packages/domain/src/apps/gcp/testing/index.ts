export * from './cloud.ts';
export * from './secret-manager.ts';
