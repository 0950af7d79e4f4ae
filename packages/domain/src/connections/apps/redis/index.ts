export { redis } from './redis.ts';
