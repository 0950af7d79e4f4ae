export * from './instance.ts';
export * from './bootstrap.ts';
