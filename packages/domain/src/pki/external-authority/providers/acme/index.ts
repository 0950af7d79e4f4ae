export { acme } from './acme.ts';
