export { postgresCredentials } from './postgres-credentials.ts';
