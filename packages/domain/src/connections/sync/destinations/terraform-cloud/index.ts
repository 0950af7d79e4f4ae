export { terraformCloud } from './terraform-cloud.ts';
