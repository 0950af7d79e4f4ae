export * from './add.ts';
export * from './collection.service.ts';
export * from './collection.ts';
export { requireCollectionIn } from './find.ts';
