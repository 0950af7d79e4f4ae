export * from './kernel/index.ts';
export { openApiDocument, type OpenApiDocument } from './openapi.ts';
export { statusesOf } from './openapi-errors.ts';
export { exampleOf } from './openapi-example.ts';
export { appRouter, type AppRouter } from './router.ts';
export { nameIn, schemaNames } from './schema-names.ts';
