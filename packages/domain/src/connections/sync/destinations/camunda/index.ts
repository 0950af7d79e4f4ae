export { camunda } from './camunda.ts';
