export { auth0 } from './auth0.ts';
