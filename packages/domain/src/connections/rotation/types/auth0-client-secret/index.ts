export { auth0ClientSecret } from './auth0-client-secret.ts';
