export { redisCredentials } from './redis-credentials.ts';
