export { mongoDb } from './mongo-db.ts';
