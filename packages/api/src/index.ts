export * from './kernel/index.ts';
export { appRouter, type AppRouter } from './router.ts';
