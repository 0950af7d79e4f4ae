export * from './kernel/index.ts';
export { openApiDocument, type OpenApiDocument } from './openapi.ts';
export { appRouter, type AppRouter } from './router.ts';
