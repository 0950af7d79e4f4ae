export { redis, type RedisAccess } from './redis.ts';
