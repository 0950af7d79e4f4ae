export { digicert } from './digicert.ts';
