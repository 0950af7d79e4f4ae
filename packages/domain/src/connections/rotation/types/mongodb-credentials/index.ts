export { mongodbCredentials } from './mongodb-credentials.ts';
