export { mongoDbAtlas } from './mongo-db-atlas.ts';
