export { gcp } from './gcp.ts';
